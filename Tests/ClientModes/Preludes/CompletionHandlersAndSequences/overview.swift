import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Image: Sendable {}

/// Makes images in the background.
nonisolated struct Renderer: Sendable {
    struct Job: Sendable {
        func cancel() {}
    }

    func render(
        _ number: Int, completion: @escaping @Sendable (Result<Image, any Error>) -> Void
    ) -> Job { Job() }
}

nonisolated struct Mailbox: Sendable {
    func fetch(_ number: Int, completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {}
}

func handle(_ renderer: Renderer, _ mailbox: Mailbox, _ numbers: AsyncStream<Int>) {
    // snippet
}
