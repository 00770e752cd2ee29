extension Duration {
    /// The duration, or 272 years if it is longer: the sum of an instant and a longer one may be out of range,
    /// which ends the process.
    var withinRangeOfClocks: Duration { min(self, Self.longest) }

    private static let longest = Duration.seconds(Int64(1) << 33)
}
