import PiuPiu

/// An engine of a user's around another one, with handles of its own.
struct OwnEngine: TransferEngine {
    private struct Handle: TransferHandle {
        let base: any TransferHandle

        var wrapped: (any TransferHandle)? { base }

        func cancel() { base.cancel() }
        func pause() { base.pause() }
        func resume() { base.resume() }
    }

    let base: any TransferEngine

    var settings: TransferSettings { base.settings }
    var streamsBodies: Bool { base.streamsBodies }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        Handle(base: base.start(request, onEvent: onEvent))
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}
