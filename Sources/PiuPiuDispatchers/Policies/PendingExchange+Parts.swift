import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension PendingExchange {
    /// Carries it out: each policy begins, the outermost first; the dispatcher below does its work; each policy ends,
    /// the innermost first. A policy that wants another attempt makes those below it begin again.
    ///
    /// - Parameter course: the policies, the first of which has begun.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    func response(by course: PolicyCourse) async throws -> Response<Content> {
        var response: Response<Content>?
        var isBeginning = true
        while true {
            if isBeginning, let work = course.begin(self) {
                do {
                    response = try await ExchangeLocals.$current.withValue(course.attempt.context.local) {
                        try await work(course)
                    }
                    course.succeed(with: response)
                } catch {
                    course.fail(with: error)
                }
            }
            guard let wait = course.end(response) else { return try course.result(response) }
            if !wait.keepsOutcome { response = nil }
            do {
                try await wait.clock.sleep(latency: wait.delay)
                isBeginning = course.beginAgain()
                if isBeginning { response = nil }
            } catch {
                course.giveUp(because: error)
                isBeginning = false
            }
        }
    }

    /// The response of the future that the dispatcher below makes.
    @Sendable func responseBelow(_ course: PolicyCourse) async throws -> Response<Content> {
        // A changed request is in the context already.
        let future = makeFutureBelow(from: course.attempt.urlRequest, with: course.attempt.body)
        return try await InnerFuture.value(of: future, for: course.attempt.work.run).value
    }
}
