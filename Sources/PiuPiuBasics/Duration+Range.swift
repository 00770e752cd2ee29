extension Duration {
    /// The duration, or zero if it is negative, or 272 years if it is longer: a sum with an instant that is out of range
    /// ends the process.
    package var withinRangeOfClocks: Duration { max(.zero, min(self, Self.longest)) }

    /// The duration in seconds, which must fit into 64 bits; a division by a second has no such limit, but takes longer.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    private static let longest = Duration.seconds(Int64(1) << 33)
}
