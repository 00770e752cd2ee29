import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One download to a file, awaited.
struct Download: Sendable {
    let request: URLRequest
    let destination: URL
    let isResumable: Bool
    let engine: any TransferEngine
    let redirectPolicy: RedirectPolicy
    let responseAdapter: (any ResponseAdapter)?

    /// Loads the file and moves it to its destination (contract rule FILES).
    func run(report: @escaping @Sendable (TransferUpdate) -> Void) async throws -> Response<URL> {
        let canResume = isResumable && (request.httpMethod ?? "GET") == "GET" && TransferBody(of: request).isEmpty
        let part = try PartialFile(
            for: destination, isResumable: canResume && request.value(forHTTPHeaderField: "Range") == nil)
        let resumption = request.url.flatMap(part.leftover).map(DownloadResumption.init)
        if let response = try await load(part, resumption, report) { return response }
        // What was left is of another file than the server has now.
        let fresh = try PartialFile(for: destination, isResumable: part.isResumable)
        guard let response = try await load(fresh, nil, report) else {
            throw TransferError(.badResponse, url: request.url)
        }
        return response
    }

    /// One exchange; `nil` if what was left of an earlier download is stale.
    private func load(
        _ part: PartialFile, _ resumption: DownloadResumption?,
        _ report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<URL>? {
        let sink = DownloadSink(part, of: request.url, resumption: resumption)
        do {
            var transferRequest = TransferRequest(request(for: part, resumption), expectsLargeResponse: true)
            transferRequest.redirectPolicy = redirectPolicy
            let (head, answered, file) = try await Transfer.run(transferRequest, on: engine, into: sink, report: report)
            let adapted = try await responseAdapter.adapt(head, for: answered)
            if let file, adapted.urlResponse.bringsFile {
                try Task.checkCancellation()
                try await move(file, of: part)
            } else {
                part.leave(file)
            }
            return Response(data: destination, urlRequest: answered, head: adapted)
        } catch is DownloadSink.StaleLeftover {
            part.discard(nil)
            return nil
        } catch {
            part.leave(sink.file)
            throw error
        }
    }

    private func request(for part: PartialFile, _ resumption: DownloadResumption?) -> URLRequest {
        guard part.isResumable else { return request }
        var request = request
        // A range of a compressed body would be no use.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        resumption?.apply(to: &request)
        return request
    }

    /// Waiting for the disk is not for the threads of tasks.
    private func move(_ file: WritableFile, of part: PartialFile) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try part.move(file) })
            }
        }
    }
}
