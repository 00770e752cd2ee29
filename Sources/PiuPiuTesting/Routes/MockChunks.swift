import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The chunks of an answer. Unless a closure makes them, they are for one request: a second iterator over most
/// sequences gets nothing, which looks like a body that is complete, or traps.
struct MockChunks: Sendable {
    private let chunks: TransferChunks
    private let isTaken = Locked(false)

    init(_ chunks: TransferChunks) {
        self.chunks = chunks
    }

    /// The chunks for a request.
    ///
    /// - Throws: ``MockError/chunksUsedUp(method:url:)``.
    func take(for urlRequest: URLRequest) throws -> TransferChunks {
        if chunks.rereadFiles != nil { return chunks }
        guard isTaken.withLock({ exchange(&$0, with: true) }) else { return chunks }
        guard let url = urlRequest.url else { throw RequestError.missingURL }
        throw MockError.chunksUsedUp(method: urlRequest.httpMethod ?? "GET", url: url)
    }
}
