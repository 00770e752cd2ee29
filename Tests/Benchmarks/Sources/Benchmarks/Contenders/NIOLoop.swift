import NIOCore
import NIOPosix

/// The one event loop on which swift-nio is measured.
enum NIOLoop {
    static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// Runs `body` on the loop's own thread, where its futures need no hops.
    static func run<Output: Sendable>(
        _ body: @escaping @Sendable (any EventLoop) throws -> Output
    ) async throws -> Output {
        let loop = loop
        return try await loop.submit { try body(loop) }.get()
    }
}
