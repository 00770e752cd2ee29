import Foundation

/// The policies on a dispatcher that are carried out together, and the dispatcher below them.
struct PolicyStack<Content: Sendable>: Sendable {
    /// Gets the course rather than its attempt, which is several references to retain.
    typealias Work = @Sendable (PolicyCourse) async throws -> Response<Content>

    /// From the outermost to the innermost.
    let levels: [PolicyLevel<Content>]

    /// Carries out an exchange by the dispatcher below.
    let carryOut: Work

    /// Whether that dispatcher is known to report its updates.
    let reportsUpdates: Bool
}

extension PolicyStack<Data?> {
    /// The stack of a dispatcher without such policies.
    init(_ dispatcher: some InlineDispatcher, reportsUpdates: Bool) {
        levels = []
        carryOut = Self.work(of: dispatcher)
        self.reportsUpdates = reportsUpdates
    }

    /// The same stack with another policy on top.
    ///
    /// - Parameter dispatcher: the dispatcher with that policy.
    init(_ policy: any PartPolicy, of dispatcher: some InlineDispatcher, on stack: Self, endsPromptly: Bool) {
        let level = PolicyLevel<Data?>(
            policy: policy, endsPromptly: endsPromptly, carryOut: Self.work(of: dispatcher))
        levels = [level] + stack.levels
        carryOut = stack.carryOut
        reportsUpdates = stack.reportsUpdates
    }

    private static func work(of dispatcher: some InlineDispatcher) -> Work {
        { course in
            let body = course.attempt.kind == .upload ? course.attempt.body : nil
            return try await dispatcher.response(
                to: course.attempt.urlRequest, body: body, in: course.attempt.work)
        }
    }
}
