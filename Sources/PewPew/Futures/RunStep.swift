/// A piece of a run: starting one, notifying an observer, calling its callbacks.
///
/// It returns the next steps instead of calling them, so that a chain of any length works on a stack of constant size
/// (contract rule DEPTH).
struct RunStep: Sendable {
    private let body: @Sendable () -> [RunStep]

    /// - Parameter body: does the work, and returns the next steps, in order.
    init(_ body: @escaping @Sendable () -> [RunStep]) {
        self.body = body
    }

    /// Performs the steps, and all that follow from them, before it returns: depth first, as nested calls would.
    static func perform(_ steps: [RunStep]) {
        // The next one is the last.
        var line = Array(steps.reversed())
        while let step = line.popLast() {
            line.append(contentsOf: step.body().reversed())
        }
    }
}
