import Foundation
import LoopbackServer

/// Determines the outcome of a transfer.
typealias TransferCheck = @Sendable () throws -> TransferOutcome

/// The expected or actual outcome of a transfer: a status, and number and digest of the bytes at the other end.
struct TransferOutcome: Equatable, Sendable, CustomStringConvertible {
    let status: Int
    let count: Int
    let digest: UInt64

    var description: String { "status \(status), \(count) bytes, digest \(LoopbackDigest.hexadecimal(digest))" }

    /// The outcome of a transfer of the first `count` bytes of the server's pattern.
    static func pattern(count: Int) -> TransferOutcome {
        TransferOutcome(status: 200, count: count, digest: LoopbackPattern.digest(count: count))
    }

    /// Of a body in memory.
    static func memory(status: Int, _ body: Data) -> TransferOutcome {
        TransferOutcome(status: status, count: body.count, digest: LoopbackDigest.of(body))
    }

    /// Of a body that was written to `file`.
    static func file(status: Int, _ file: URL) throws -> TransferOutcome {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var digest = LoopbackDigest(), count = 0
        while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
            part.withUnsafeBytes { digest.update($0) }
            count += part.count
        }
        return TransferOutcome(status: status, count: count, digest: digest.value)
    }

    /// Of an upload, as the server's `/sink` reports it.
    static func sink(status: Int, _ reply: Data) throws -> TransferOutcome {
        let reply = try JSONDecoder().decode(SinkReply.self, from: reply)
        return TransferOutcome(status: status, count: reply.count, digest: UInt64(reply.digest, radix: 16) ?? 0)
    }

    private struct SinkReply: Decodable {
        let count: Int
        let digest: String
    }
}
