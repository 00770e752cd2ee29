import Foundation
import PiuPiu
import Testing

@Suite("What a stream keeps, in memory and on disk", .timeLimit(.minutes(10)))
struct StreamStateTests {
    private let chunk = Data(repeating: 1, count: 64 << 10)

    @Test("The transfer stays paused while a chunk is on its way to the file")
    func pausedWhileSpilling() {
        var state = StreamState<Int>()
        var pauses = 0, isSpilled = false
        // An engine that pauses late: the chunks still come.
        while !isSpilled {
            switch state.arrived(chunk) {
            case .kept(_, let isPausing): pauses += isPausing ? 1 : 0
            case .spill: isSpilled = true
            case .dropped: Issue.record("The stream is not over.")
            }
        }
        #expect(pauses == 1)
        // The reader takes all that is in memory before the file has the chunk.
        while case .chunk(_, let resumes) = state.demand() { #expect(!resumes) }
        _ = state.spilled(chunk.count)
        guard case .unspill = state.demand() else {
            Issue.record("The file isn't read.")
            return
        }
        let end = state.unspilled(chunk.count)
        #expect(end.isUsedUp && end.resumes)
        guard case .kept = state.arrived(chunk) else {
            Issue.record("The file is still in use.")
            return
        }
    }

    @Test("A chunk for the file pauses the transfer, and the end of the file resumes it")
    func spillingPauses() {
        var state = StreamState<Int>()
        guard case .kept(_, pauses: false) = state.arrived(chunk),
            case .spill(pauses: true) = state.arrived(Data(count: 1 << 20)),
            case .spill(pauses: false) = state.arrived(chunk)
        else { return #expect(Bool(false), "\(state)") }
        #expect(state.isPaused)
        // The reader has all of the file before another chunk, on its way since then, is in it.
        _ = state.spilled(1 << 20)
        while case .chunk = state.demand() {}
        #expect(state.unspilled(1 << 20) == (true, true) && !state.isPaused)
        _ = state.spilled(chunk.count)
        guard case .spill(pauses: true) = state.arrived(chunk) else { return #expect(Bool(false), "\(state)") }
    }

    @Test("A reader that is gone before it has got the end has not read everything", arguments: [true, false])
    func abandoned(isOver: Bool) {
        var state = StreamState<Int>()
        _ = state.arrived(chunk)
        if isOver { _ = state.finish(nil) }
        _ = state.demand()
        #expect(!state.isRead)
        _ = state.abandon()
        #expect(state.isRead)
        guard case .end(is CancellationError) = state.demand(), case .end(nil) = state.demand() else {
            return #expect(Bool(false), "\(state)")
        }
        var read = StreamState<Int>()
        _ = read.finish(nil)
        _ = read.demand()
        _ = read.abandon()
        #expect(read.isRead)
    }
}
