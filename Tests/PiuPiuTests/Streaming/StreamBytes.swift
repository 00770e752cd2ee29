import Foundation
import TestSupport

/// Random bytes, mostly with a meaning for a parser of lines and events, and random ways to cut them.
struct StreamBytes {
    /// The seed in `PIUPIU_SEED`, or a new one; printed at once, as a crash leaves no time for it.
    static func seed(for test: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["PIUPIU_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0 ... .max / 2)
        FileHandle.standardError.write(Data("\(test) from PIUPIU_SEED=\(seed)\n".utf8))
        return seed
    }

    var generator: SeededGenerator

    private static let pieces: [[UInt8]] =
        [
            "data", "event", "id", "retry", "data: ", "id:", "event: add\n", "retry: 10\n", "data: x\n\n",
            "\ndata: y\n\n", "\rdata:\r\r", ":", " ", "\n", "\n", "\n\n", "\r", "\r\r", "\r\n", "\r\n\r\n", "\0", "7",
            "ü", "日", "👩‍👧", "\u{85}", "\u{2028}", "\u{2029}",
            "\u{0B}", "\u{0C}", "\u{FEFF}", "a", "lorem ipsum",
        ].map { Array($0.utf8) } + [[0xC2], [0xE2], [0xE2, 0x80], [0xEF, 0xBB], [0xF0, 0x9F], [0x80], [0xFF]]

    /// Up to some hundred bytes.
    mutating func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes.append(.random(in: 0...255, using: &generator))
            } else {
                bytes += Self.pieces.randomElement(using: &generator) ?? []
            }
        }
        return bytes
    }

    /// The bytes in pieces, some of them empty.
    mutating func cut(_ bytes: [UInt8]) -> [Data] {
        let largest = [1, 3, 20, 200].randomElement(using: &generator) ?? 1
        var chunks: [Data] = []
        var rest = Data(bytes)
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 0...largest, using: &generator))
            chunks.append(chunk)
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }
}
