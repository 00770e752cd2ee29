/// A piece of a run: starting one, telling somebody its outcome, calling its callbacks.
///
/// What comes of it is given back instead of called, so that a chain of any length works on a stack of constant size
/// (contract rule DEPTH).
struct RunStep: Sendable {
    private let body: @Sendable () -> [RunStep]

    /// - Parameter body: does the work, and gives what is to be done next, in order.
    init(_ body: @escaping @Sendable () -> [RunStep]) {
        self.body = body
    }

    /// Works the steps off before it returns, and all that comes of them: depth first, as nested calls would.
    static func perform(_ steps: [RunStep]) {
        // The next one is the last.
        var line = Array(steps.reversed())
        while let step = line.popLast() {
            line.append(contentsOf: step.body().reversed())
        }
    }
}
