extension ResponseFuture {
    /// Launches the work as `launch(isHere:)` does, for a kind of value that is known here, unless it was claimed.
    @inlinable
    func launchUnlessClaimed(isHere: Bool) {
        if claimForRun() { launchAbove(isHere: isHere) ? startWork(isHere: isHere) : dropWork() }
    }

    /// Begins the work, which the caller has claimed for the link's run.
    @inlinable
    func startWork(isHere: Bool) {
        switch stage {
        case .action:
            beginAction()
        case .join(let join):
            stage = .taken
            join.begin(self)
        case .callback(let work) where isHere && beginInNest(work):
            break
        case .operation, .callback, .transform:
            if isHere, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
                StartNesting.run({ startHere() })
            {
                return
            }
            run.adopt(Task { @concurrent in await self.work(isHere: false) })
        case .settled, .promise, .taken:
            break
        }
    }

    /// Begins work that ends with a callback, if there is room on the stack.
    @inlinable
    func beginInNest(_ work: any CallbackWork<Success>) -> Bool {
        var isBegun = false
        return StartNesting.run { isBegun = begin(work) } && isBegun
    }

    /// Begins the work in a task of its own, on this stack.
    @inlinable @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func startHere() {
        Task.immediate { @concurrent in await self.work(isHere: true) }
    }
}
