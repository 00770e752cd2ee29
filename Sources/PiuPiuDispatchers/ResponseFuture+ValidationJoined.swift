/// The validation of a join, in the background. The first unacceptable response, in order, is the error. An optional or
/// a result is validated if it has a response.
extension ResponseFuture {
    /// The two responses, if the status of each is one of these: see `validated(_:)` of one response.
    ///
    /// ```swift
    /// post.join(user).validated().decoded(Post.self, User.self)
    /// ```
    public func validated<A: StatusValidating, B: StatusValidating>(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> ResponseFuture where Success == (A, B) {
        then { (try $0.validated(statuses), try $1.validated(statuses)) }
    }

    /// The two responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<A: StatusValidating, B: StatusValidating>(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> ResponseFuture where Success == (A, B) {
        validated(statuses.map(\.rawValue))
    }

    /// The three responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<A: StatusValidating, B: StatusValidating, C: StatusValidating>(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> ResponseFuture where Success == (A, B, C) {
        then { (try $0.validated(statuses), try $1.validated(statuses), try $2.validated(statuses)) }
    }

    /// The three responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<A: StatusValidating, B: StatusValidating, C: StatusValidating>(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> ResponseFuture where Success == (A, B, C) {
        validated(statuses.map(\.rawValue))
    }

    /// The four responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating>(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> ResponseFuture where Success == (A, B, C, D) {
        then {
            (
                try $0.validated(statuses), try $1.validated(statuses), try $2.validated(statuses),
                try $3.validated(statuses)
            )
        }
    }

    /// The four responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating>(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> ResponseFuture where Success == (A, B, C, D) {
        validated(statuses.map(\.rawValue))
    }

    /// The five responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<
        A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating, E: StatusValidating
    >(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> ResponseFuture where Success == (A, B, C, D, E) {
        then {
            (
                try $0.validated(statuses), try $1.validated(statuses), try $2.validated(statuses),
                try $3.validated(statuses), try $4.validated(statuses)
            )
        }
    }

    /// The five responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<
        A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating, E: StatusValidating
    >(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> ResponseFuture where Success == (A, B, C, D, E) {
        validated(statuses.map(\.rawValue))
    }

    /// The six responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<
        A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating, E: StatusValidating,
        F: StatusValidating
    >(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> ResponseFuture where Success == (A, B, C, D, E, F) {
        then {
            (
                try $0.validated(statuses), try $1.validated(statuses), try $2.validated(statuses),
                try $3.validated(statuses), try $4.validated(statuses), try $5.validated(statuses)
            )
        }
    }

    /// The six responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated<
        A: StatusValidating, B: StatusValidating, C: StatusValidating, D: StatusValidating, E: StatusValidating,
        F: StatusValidating
    >(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> ResponseFuture where Success == (A, B, C, D, E, F) {
        validated(statuses.map(\.rawValue))
    }
}
