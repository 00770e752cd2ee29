/// What one who asks for the next result of several futures is given.
package enum FutureResultsDelivery<Success: Sendable>: Sendable {
    /// A result, and which future it is from: 0 for the first of the sequence.
    package typealias Element = (offset: Int, result: Result<Success, any Error>)

    case element(Element)
    case end
    /// The end, said once to one whose task was cancelled before everything was given.
    case cancelled
}
