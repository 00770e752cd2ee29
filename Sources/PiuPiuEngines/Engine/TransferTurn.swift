/// Is notified while an exchange waits for its turn in an engine, for a disk, or for the chunks of its body, so that no
/// time limit of the server runs meanwhile (rules OUTSIDE and STORAGE).
///
/// For each ``waits()`` there is one ``begins()``, unless the exchange ends in between. There may be several pairs, one
/// for each line. The two calls of a pair may come from two threads at once, in any order.
package protocol TransferTurn: Sendable {
    /// The exchange is about to wait.
    func waits()

    /// Its turn has come, and it is sent now.
    ///
    /// - Throws: the error that ends the exchange instead, if it must not be sent any more.
    func begins() throws

    /// The exchange is about to wait for the disk of a cache, or for chunks to be collected: no server is silent
    /// meanwhile.
    func waitsForDisk()

    /// That wait is over. Here, too, the two calls of a pair may come in any order.
    ///
    /// - Throws: the error that ends the exchange instead, if nothing must be sent any more.
    func leavesDisk() throws
}
