import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways of a body: to memory, to a file, to the server, and to a reader while it arrives.
enum TransferKind: String, CaseIterable, Sendable {
    case data, download, upload, stream

    /// What an upload sends.
    static let uploaded = LoopbackPattern.data(count: 20_000)

    /// The content of a download's destination before.
    static let oldContent = Data("what was there before".utf8)

    private static let fileName = "destination"

    /// The place of the file.
    func destination(in stand: EngineStand) -> URL {
        stand.folder.appending(path: Self.fileName, directoryHint: .notDirectory)
    }

    /// Creates what must exist before.
    func prepare(_ stand: EngineStand) throws {
        if self == .download { try Self.oldContent.write(to: destination(in: stand)) }
    }

    /// The future of a transfer.
    func future(of url: URL, on stand: EngineStand, timeout: TimeInterval = 3600) -> ResponseFuture<TransferResult> {
        let request = stand.request(url, method: self == .upload ? .post : .get, timeout: timeout)
        return switch self {
        case .data:
            stand.dispatcher.dataFuture(from: request)
                .then { TransferResult(status: $0.status, body: $0.data ?? Data(), request: $0.urlRequest) }
        case .upload:
            stand.dispatcher.uploadFuture(from: request, with: Self.uploaded)
                .then { TransferResult(status: $0.status, body: $0.data ?? Data(), request: $0.urlRequest) }
        case .download:
            stand.dispatcher.downloadFuture(from: request, to: destination(in: stand))
                .then { TransferResult(status: $0.status, body: try Data(contentsOf: $0.data), request: $0.urlRequest) }
        case .stream:
            ResponseFuture { [stream = stand.dispatcher.streamFuture(from: request)] in
                let response = try await stream.value
                var body = Data()
                for try await chunk in response.data { body += chunk }
                return TransferResult(status: response.status, body: body, request: response.urlRequest)
            }
        }
    }

    /// Throws unless the destination is as it was and nothing is beside it.
    func expectIntactDestination(on stand: EngineStand) throws {
        guard self == .download else { return }
        try expect(
            try Data(contentsOf: destination(in: stand)), is: Self.oldContent, "the file at the destination")
        try expectNothingBeside(on: stand)
    }

    /// Waits for the file beside the destination to go, and throws unless the destination is as it was.
    ///
    /// A cancelled await may end before the transfer has cleaned up, and nothing signals that. So a request, which
    /// takes time, follows each look, until the check's own limit: one thread may be held up for as long as many
    /// requests take on others.
    func expectIntactDestinationSoon(on stand: EngineStand) async throws {
        while self == .download, try stand.filesInFolder() != [Self.fileName] { try await stand.expectSoundEngine() }
        try expectIntactDestination(on: stand)
    }

    /// Throws unless the destination is the only file.
    func expectNothingBeside(on stand: EngineStand) throws {
        guard self == .download else { return }
        try expect(try stand.filesInFolder(), is: [Self.fileName], "the files in the folder")
    }
}

/// What a transfer delivered; for a download, the content of its file.
struct TransferResult: Sendable, Equatable {
    let status: Int?
    let body: Data
    let request: URLRequest
}
