public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The body of a request: the source of its bytes.
///
/// ```swift
/// let future = dispatcher.uploadFuture(from: request, with: .file(videoURL))
/// ```
public enum TransferBody: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The content of a regular file. It is read while it is sent, and must not change meanwhile.
    case file(URL)
    /// Chunks that are produced while they are sent, in order.
    case chunks(TransferChunks)

    /// The body of a `URLRequest`: its `httpBody`, or else its `httpBodyStream`.
    public init(of urlRequest: URLRequest) {
        if let data = urlRequest.httpBody {
            self = data.isEmpty ? .none : .data(data)
        } else if urlRequest.httpBodyStream != nil {
            self = .chunks(TransferChunks(InputStreamChunks(request: urlRequest)))
        } else {
            self = .none
        }
    }

    /// Whether it can be sent without reading.
    package var isInMemory: Bool {
        switch self {
        case .none, .data: true
        case .file, .chunks: false
        }
    }

    /// Whether its end comes without an announced length.
    package var hasUnknownLength: Bool {
        if case .chunks(let chunks) = self { chunks.length == nil } else { false }
    }

    /// Whether there is nothing to send.
    package var isEmpty: Bool {
        switch self {
        case .none: true
        case .data(let data): data.isEmpty
        case .file, .chunks: false
        }
    }
}
