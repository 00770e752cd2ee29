/// Joins of two to six futures of different types that run together.
///
/// All are started together. The first failure cancels the others, and is the error of the join; a cancellation cancels
/// the others and the join (contract rule GROUPS). Updates of all are updates of the join. To turn a failure into a
/// value, join ``safeResult()``.
extension ResponseFuture {
    /// Runs another future together with this one; the value is a tuple of both.
    ///
    /// ```swift
    /// let (posts, users) = try await client.posts().join(client.users()).value
    /// ```
    public consuming func join<Second>(
        _ second: consuming ResponseFuture<Second>
    ) -> ResponseFuture<(Success, Second)> {
        let firstPart = JoinPart(consume self)
        let secondPart = JoinPart(consume second)
        return ResponseFuture<Success>.joined([firstPart, secondPart]) {
            (try firstPart.value(), try secondPart.value())
        }
    }

    /// Runs two other futures together with this one; the value is a tuple of all.
    public consuming func join<Second, Third>(
        _ second: consuming ResponseFuture<Second>, _ third: consuming ResponseFuture<Third>
    ) -> ResponseFuture<(Success, Second, Third)> {
        let firstPart = JoinPart(consume self)
        let secondPart = JoinPart(consume second)
        let thirdPart = JoinPart(consume third)
        return ResponseFuture<Success>.joined([firstPart, secondPart, thirdPart]) {
            (try firstPart.value(), try secondPart.value(), try thirdPart.value())
        }
    }

    /// Runs three other futures together with this one; the value is a tuple of all.
    public consuming func join<Second, Third, Fourth>(
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>
    ) -> ResponseFuture<(Success, Second, Third, Fourth)> {
        let firstPart = JoinPart(consume self)
        let secondPart = JoinPart(consume second)
        let thirdPart = JoinPart(consume third)
        let fourthPart = JoinPart(consume fourth)
        return ResponseFuture<Success>.joined([firstPart, secondPart, thirdPart, fourthPart]) {
            (try firstPart.value(), try secondPart.value(), try thirdPart.value(), try fourthPart.value())
        }
    }

    /// Runs four other futures together with this one; the value is a tuple of all.
    public consuming func join<Second, Third, Fourth, Fifth>(
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>,
        _ fifth: consuming ResponseFuture<Fifth>
    ) -> ResponseFuture<(Success, Second, Third, Fourth, Fifth)> {
        let firstPart = JoinPart(consume self)
        let secondPart = JoinPart(consume second)
        let thirdPart = JoinPart(consume third)
        let fourthPart = JoinPart(consume fourth)
        let fifthPart = JoinPart(consume fifth)
        return ResponseFuture<Success>.joined([firstPart, secondPart, thirdPart, fourthPart, fifthPart]) {
            (
                try firstPart.value(), try secondPart.value(), try thirdPart.value(), try fourthPart.value(),
                try fifthPart.value()
            )
        }
    }

    /// Runs five other futures together with this one; the value is a tuple of all.
    public consuming func join<Second, Third, Fourth, Fifth, Sixth>(
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>,
        _ fifth: consuming ResponseFuture<Fifth>,
        _ sixth: consuming ResponseFuture<Sixth>
    ) -> ResponseFuture<(Success, Second, Third, Fourth, Fifth, Sixth)> {
        let firstPart = JoinPart(consume self)
        let secondPart = JoinPart(consume second)
        let thirdPart = JoinPart(consume third)
        let fourthPart = JoinPart(consume fourth)
        let fifthPart = JoinPart(consume fifth)
        let sixthPart = JoinPart(consume sixth)
        return ResponseFuture<Success>.joined([firstPart, secondPart, thirdPart, fourthPart, fifthPart, sixthPart]) {
            (
                try firstPart.value(), try secondPart.value(), try thirdPart.value(), try fourthPart.value(),
                try fifthPart.value(), try sixthPart.value()
            )
        }
    }
}

extension ResponseFuture {
    /// The values of two futures, which run together: the same as `join` on the first.
    public static func zip<First, Second>(
        _ first: consuming ResponseFuture<First>,
        _ second: consuming ResponseFuture<Second>
    ) -> ResponseFuture<(First, Second)> where Success == (First, Second) {
        first.join(consume second)
    }

    /// The values of three futures, which run together: the same as `join` on the first.
    public static func zip<First, Second, Third>(
        _ first: consuming ResponseFuture<First>,
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>
    ) -> ResponseFuture<(First, Second, Third)> where Success == (First, Second, Third) {
        first.join(consume second, consume third)
    }

    /// The values of four futures, which run together: the same as `join` on the first.
    public static func zip<First, Second, Third, Fourth>(
        _ first: consuming ResponseFuture<First>,
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>
    ) -> ResponseFuture<(First, Second, Third, Fourth)> where Success == (First, Second, Third, Fourth) {
        first.join(consume second, consume third, consume fourth)
    }

    /// The values of five futures, which run together: the same as `join` on the first.
    public static func zip<First, Second, Third, Fourth, Fifth>(
        _ first: consuming ResponseFuture<First>,
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>,
        _ fifth: consuming ResponseFuture<Fifth>
    ) -> ResponseFuture<(First, Second, Third, Fourth, Fifth)> where Success == (First, Second, Third, Fourth, Fifth) {
        first.join(consume second, consume third, consume fourth, consume fifth)
    }

    /// The values of six futures, which run together: the same as `join` on the first.
    public static func zip<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: consuming ResponseFuture<First>,
        _ second: consuming ResponseFuture<Second>,
        _ third: consuming ResponseFuture<Third>,
        _ fourth: consuming ResponseFuture<Fourth>,
        _ fifth: consuming ResponseFuture<Fifth>,
        _ sixth: consuming ResponseFuture<Sixth>
    ) -> ResponseFuture<(First, Second, Third, Fourth, Fifth, Sixth)>
    where Success == (First, Second, Third, Fourth, Fifth, Sixth) {
        first.join(consume second, consume third, consume fourth, consume fifth, consume sixth)
    }
}

extension ResponseFuture {
    /// A future of what `combine` returns, once all parts have their values.
    static func joined<Output>(
        _ parts: [any JoinedPart], combine: @escaping @Sendable () throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(join: Join(.all, of: JoinParts(parts)) { _ in try combine() })
    }
}
