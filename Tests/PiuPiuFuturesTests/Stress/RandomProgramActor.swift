import PiuPiu

/// A user's own actor, on which tasks of random programs await.
actor RandomProgramActor {
    static let shared = RandomProgramActor()

    func observe(
        _ node: Int, for probe: RandomProgramProbe, isCancelled: Bool,
        _ future: @Sendable () -> ResponseFuture<Int>?
    ) async {
        await probe.observe(node, isCancelled: isCancelled, future)
    }
}

extension RandomProgramProbe {
    /// Awaits a node on an actor, or on none.
    @concurrent
    func observe(
        _ node: Int, on isolation: RandomProgram.Isolation, isCancelled: Bool = false,
        _ future: @Sendable () -> ResponseFuture<Int>?
    ) async {
        switch isolation {
        case .background: await observe(node, isCancelled: isCancelled, future)
        case .mainActor: await observeOnMainActor(node, isCancelled: isCancelled, future)
        case .ownActor:
            await RandomProgramActor.shared.observe(node, for: self, isCancelled: isCancelled, future)
        }
    }

    @MainActor
    private func observeOnMainActor(
        _ node: Int, isCancelled: Bool, _ future: @Sendable () -> ResponseFuture<Int>?
    ) async {
        await observe(node, isCancelled: isCancelled, future)
    }
}
