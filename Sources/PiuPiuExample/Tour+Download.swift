import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// A file that arrives in parts, and a progress bar.
    func download() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiuExample-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let film = server.map { PacedFilm(on: $0) }
        let file = folder.appending(path: "films/film.bin")
        await withCheckedContinuation { continuation in
            let bar = TextBar(transcript: transcript) { film?.go(on: $0) }
            dispatcher.downloadFuture(from: request(film?.path ?? "posts"), to: file)
                .updated { update in bar.show(update.percentTransferred ?? 0) }
                .success { response in
                    let size = try response.data.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
                    transcript.expect(film == nil || size == film?.size, "success: a file of \(size) bytes, whole")
                }
                .error { transcript.expect(false, "no error, but: \($0.localizedDescription)") }
                .completion {
                    transcript.expect(film == nil || bar.quarters == 4, "the bar has come to its end")
                    continuation.resume()
                }
                .send()
        }
        let content = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "films").path())
        transcript.expect(content == ["film.bin"], "its folder was made, and there is nothing else in it")
    }
}

/// A progress bar of text, with a line for each quarter.
@MainActor
private final class TextBar {
    private(set) var quarters = 0
    private let transcript: Transcript
    private let onQuarter: @Sendable (Int) -> Void

    nonisolated init(transcript: Transcript, onQuarter: @escaping @Sendable (Int) -> Void) {
        self.transcript = transcript
        self.onQuarter = onQuarter
    }

    func show(_ share: Float) {
        while quarters < Int(share * 4) {
            quarters += 1
            let bar = String(repeating: "#", count: quarters * 5) + String(repeating: "-", count: 20 - quarters * 5)
            transcript.note("updated: [\(bar)] \(quarters * 25) %")
            onQuarter(quarters)
        }
    }
}

/// A file on the tour's own server. It sends each quarter after the bar has shown the one before.
private struct PacedFilm: Sendable {
    let path = "film"
    let size = 400_000
    private let gates = (1...3).map { _ in LoopbackGate() }

    init(on server: LoopbackServer) {
        let quarter = size / 4
        var steps: [LoopbackReply.Step] = [
            .head(status: 200, headers: [LoopbackHeader("Content-Length", String(size))]), .pattern(count: quarter),
        ]
        for (index, gate) in gates.enumerated() {
            steps += [.gate(gate), .patternRange((index + 1) * quarter..<(index + 2) * quarter)]
        }
        server.handle("GET", "/\(path)", reply: LoopbackReply(steps: steps))
    }

    func go(on quarter: Int) {
        if gates.indices.contains(quarter - 1) { gates[quarter - 1].open() }
    }
}
