import Foundation
import LoopbackServer

/// A large body, where it comes from and where it goes to.
struct Transfer: Sendable {
    let expected: TransferOutcome
    private let direction: HTTPTransferScenario.Direction
    private let url: URL
    private let file: URL
    private let data: Data

    init(_ direction: HTTPTransferScenario.Direction, count: Int, on stage: HTTPStage) throws {
        expected = .pattern(count: count)
        self.direction = direction
        file = stage.folder.appending(path: "body")
        switch direction {
        case .downloadToMemory, .downloadToFile:
            url = stage.baseURL.appending(path: "bytes/\(count)")
            data = Data()
        case .uploadFromMemory:
            url = stage.sinkURL.appending(path: "sink")
            data = LoopbackPattern.data(count: count)
        case .uploadFromFile:
            url = stage.sinkURL.appending(path: "sink")
            data = Data()
            try LoopbackPattern.data(count: count).write(to: file)
        }
    }

    func run(_ contender: any HTTPContender) async throws -> TransferCheck {
        switch direction {
        case .downloadToMemory: try await contender.downloadToMemory(url)
        case .downloadToFile: try await contender.download(url, to: file)
        case .uploadFromMemory: try await contender.upload(data, to: url)
        case .uploadFromFile: try await contender.upload(file: file, to: url)
        }
    }

    /// Removes what a download has written, for the next.
    func clearAway() throws {
        if direction == .downloadToFile { try FileManager.default.removeItem(at: file) }
    }
}
