/// Contenders that take turns, sample by sample, so that other load on the machine affects all alike.
enum Turns {
    /// The samples of each contender.
    static func samples<Contender, Sample>(
        of contenders: [Contender], rounds: Int, sample: (Contender) async throws -> Sample
    ) async throws -> [[Sample]] {
        var samples: [[Sample]] = contenders.map { _ in [] }
        for round in 0..<rounds {
            // Back and forth, so that no contender always follows the same other one.
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order { samples[index].append(try await sample(contenders[index])) }
        }
        return samples
    }
}
