extension Duration {
    /// The duration, or zero if it is negative, or 272 years if it is longer: the sum of an instant and a longer one may
    /// be out of range, which ends the process.
    var withinRangeOfClocks: Duration { max(.zero, min(self, Self.longest)) }

    private static let longest = Duration.seconds(Int64(1) << 33)
}
