extension Duration {
    /// The duration, or zero if it is negative, or 272 years if it is longer: a sum with an instant that is out of range
    /// ends the process.
    package var withinRangeOfClocks: Duration { max(.zero, min(self, Self.longest)) }

    private static let longest = Duration.seconds(Int64(1) << 33)
}
