import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One download to a file, awaited.
struct Download: Sendable {
    /// What it has while it goes on; a place only if it is resumable.
    private typealias Turn = (place: DownloadPlace?, slot: DownloadLine.Slot)

    let request: URLRequest
    /// The URL of the caller's request, which names the file in the record of what has arrived.
    ///
    /// An adapter or a policy may have put a signature or a token into the request's own, which differs each time then.
    let source: URL?
    let destination: URL
    let isResumable: Bool
    let line: DownloadLine
    let engine: EngineRouter
    let redirectPolicy: RedirectPolicy
    let responseAdapter: (any ResponseAdapter)?

    /// Loads the file and moves it to its destination (contract rule FILES), as a part of the work of `run`.
    func run(
        for run: FutureRun, report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<URL> {
        guard canResume else { return try await load(in: .plain, nil, report) }
        return try await DownloadPlace.hold(destination, for: run) { place in
            // If there is none, another download, which goes on, has the leftover.
            try await load(in: place == nil ? .plain : line, place, report)
        }
    }

    private func load(
        in line: DownloadLine, _ place: DownloadPlace?, _ report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<URL> {
        try await line.hold(for: request.url?.origin ?? "") { slot in try await load((place, slot), report) }
    }

    /// Whether it may continue where an earlier one has ended.
    private var canResume: Bool {
        isResumable && (request.httpMethod ?? "GET") == "GET" && TransferBody(of: request).isEmpty
            && request.value(forHTTPHeaderField: "Range") == nil
    }

    private func load(
        _ turn: Turn, _ report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<URL> {
        let part = try PartialFile(for: destination, isResumable: turn.place != nil)
        let resumption = part.isResumable ? await FileSystem.waiting { source.flatMap(part.leftover) } : nil
        if let response = try await load(part, resumption, turn, isReplacement: false, report) { return response }
        // The leftover is of an older version of the file.
        let fresh = try PartialFile(for: destination, isResumable: part.isResumable)
        guard let response = try await load(fresh, nil, turn, isReplacement: true, report) else {
            throw TransferError(.badResponse, url: request.url)
        }
        return response
    }

    /// One exchange; `nil` if the leftover of an earlier download is stale.
    private func load(
        _ part: PartialFile, _ resumption: DownloadResumption?, _ turn: Turn, isReplacement: Bool,
        _ report: @escaping @Sendable (TransferUpdate) -> Void
    ) async throws -> Response<URL>? {
        let sink = DownloadSink(part, of: source, resumption: resumption)
        do {
            var transferRequest = TransferRequest(request(resuming: resumption), expectsLargeResponse: true)
            (transferRequest.redirectPolicy, transferRequest.isReplacement) = (redirectPolicy, isReplacement)
            let (head, answered, file) = try await Transfer.run(transferRequest, on: engine, into: sink, report: report)
            let adapted = try await adapt(head, for: answered, turn, sink)
            if let file, adapted.bringsFile(to: answered) { try await part.move(file) } else { sink.leave() }
            return Response(data: destination, urlRequest: answered, head: adapted)
        } catch is DownloadSink.StaleLeftover {
            part.discard(nil)
            return nil
        } catch {
            sink.leave()
            throw error
        }
    }

    /// The head after the adapter, which may wait for other downloads, and may not notice a cancellation. As nothing is
    /// moved after that, the next download to the same place continues with the file at once.
    private func adapt(
        _ head: TransferHead, for answered: URLRequest, _ turn: Turn, _ sink: DownloadSink
    ) async throws -> TransferHead {
        guard responseAdapter != nil else { return try await responseAdapter.adapt(head, for: answered) }
        guard let place = turn.place else {
            return try await turn.slot.lend { try await responseAdapter.adapt(head, for: answered) }
        }
        let adapted = try await withTaskCancellationHandler {
            try await turn.slot.lend { try await responseAdapter.adapt(head, for: answered) }
        } onCancel: {
            // Not on the thread that cancels: the disk may be slow.
            DispatchQueue.global().async {
                sink.leave()
                place.leave()
            }
        }
        // Without a cancellation the file is still open.
        try Task.checkCancellation()
        return adapted
    }

    private func request(resuming resumption: DownloadResumption?) -> URLRequest {
        var request = request
        // A coded body can't be checked for completeness, and a range of one would be useless.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        resumption?.apply(to: &request)
        return request
    }
}
