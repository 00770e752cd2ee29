/// A future or a promise, as its core sees it.
protocol RunOwner: AnyObject, Sendable {
    associatedtype Value: Sendable
    /// The type of its failure, which is no error; `Never` for a future.
    associatedtype Failure: Sendable

    var core: RunCore<Self> { get }

    /// Makes an owner of a core, which calls this under a lock.
    ///
    /// - Parameter number: tells the owners of the core apart; there is one at a time.
    init(core: RunCore<Self>, number: Int)
}

extension RunOwner {
    /// A step of a run on the main actor; an error that it throws settles this owner. It does nothing if that run has
    /// ended meanwhile, also if another one has begun.
    func stepOnMain(inRun run: Int, _ body: @escaping @MainActor () throws -> [RunStep]) -> RunStep {
        MainContext.step {
            guard self.core.presentRun == run else { return [] }
            do { return try body() } catch { return self.core.settling(.error(error), ofRun: run) }
        }
    }
}
