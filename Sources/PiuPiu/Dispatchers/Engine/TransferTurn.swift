/// What somebody above learns while an exchange waits for its turn in an engine, so that no time limit of the server's runs
/// meanwhile (rule OUTSIDE).
///
/// For each ``waits()`` there is one ``begins()``, unless the exchange ends in between; there may be several pairs, one for each
/// line. The two of a pair may come from two threads at once, in any order.
package protocol TransferTurn: Sendable {
    /// The exchange is about to wait.
    func waits()

    /// Its turn has come, and it is sent now.
    ///
    /// - Throws: the error to end with instead, where it isn't to be sent any more.
    func begins() throws
}
