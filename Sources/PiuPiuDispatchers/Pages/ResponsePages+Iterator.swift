public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponsePages {
    /// Loads the pages one by one. Only one task at a time can use it.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Position {
            case start
            case page(Response<Data?>, URLRequest)
            case end
        }

        /// What distinguishes a request from others; not only the URL, as a page may be chosen by a header or a body.
        private struct Question: Hashable {
            let method: String?
            let url: String?
            let headers: [String: String]
            let body: Data?

            init(_ urlRequest: URLRequest) {
                method = urlRequest.httpMethod
                // A fragment isn't sent.
                url = urlRequest.url?.absoluteString.prefix { $0 != "#" }.description
                headers = urlRequest.allHTTPHeaderFields ?? [:]
                body = urlRequest.httpBody
            }
        }

        private let pages: ResponsePages
        private var position = Position.start
        private var asked: Set<Question> = []
        /// Whether a server has led to another origin. Its links may lead back, but say nothing of the user's will.
        private var isAway = false

        init(of pages: ResponsePages) {
            self.pages = pages
        }

        /// Loads the next page; `nil` after the last one.
        ///
        /// - Throws: see ``ResponsePages``; `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> Response<Data?>? {
            do {
                guard let request = try nextRequest() else {
                    position = .end
                    return nil
                }
                // Not retained while the next page is loaded.
                position = .end
                noteOrigin(of: request)
                let page = try await load(request)
                noteOrigin(of: page.urlRequest)
                position = .page(page, request)
                return page
            } catch {
                position = .end
                throw error.isCancellation ? CancellationError() : error
            }
        }

        private mutating func noteOrigin(of request: URLRequest) {
            if pages.followsLinks, request.url?.origin != pages.urlRequest.url?.origin { isAway = true }
        }

        private func load(_ request: URLRequest) async throws -> Response<Data?> {
            let future = pages.dispatcher.dataFuture(from: request).validated()
            guard isAway else { return try await future.value }
            var context = PolicyContext.current
            context.withholdsSecrets = true
            return try await ExchangeLocals.$current.withValue(context.local) { try await future.value }
        }

        private mutating func nextRequest() throws -> URLRequest? {
            let request: URLRequest?
            switch position {
            case .start: request = pages.urlRequest
            case .page(let page, let urlRequest): request = try pages.next(page, urlRequest)
            case .end: request = nil
            }
            guard let request else { return nil }
            try Task.checkCancellation()
            // What a stream contains isn't known before it is read.
            if request.httpBodyStream == nil, !asked.insert(Question(request)).inserted {
                throw RepeatedPageError(request)
            }
            return request
        }
    }
}

@available(*, unavailable)
extension ResponsePages.Iterator: Sendable {}
