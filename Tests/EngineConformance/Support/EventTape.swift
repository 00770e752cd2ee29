import Dispatch
import Foundation
import PiuPiu
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records what an engine reports about one exchange.
///
/// Each event is noted when its call begins and when it ends, and whether its call was the only one then.
struct EventTape: Sendable {
    enum Note: Sendable {
        case begins(TransferEvent, isAlone: Bool, isOnMain: Bool)
        case ends
    }

    /// The calls that are running.
    private final class Calls: Sendable {
        let count = Atomic(0)
    }

    let notes: AsyncStream<Note>
    private let recorder: AsyncStream<Note>.Continuation
    private let calls = Calls()

    init() {
        (notes, recorder) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// The closure for an engine.
    var onEvent: @Sendable (TransferEvent) -> Void {
        { [recorder, calls] event in
            let others = calls.count.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
            recorder.yield(.begins(event, isAlone: others == 0, isOnMain: MainThread.isCurrent))
            // A moment in which another thread can come, if the engine lets it.
            for _ in 0..<50 { sched_yield() }
            calls.count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            recorder.yield(.ends)
        }
    }

    /// Ends the recording; what was recorded remains.
    func stop() { recorder.finish() }

    /// The events up to the terminal one, or up to `stop()`; checks that they came one at a time and off the main
    /// thread.
    func events(untilTerminal: Bool = true) async throws -> [TransferEvent] {
        var events: [TransferEvent] = []
        for await note in notes {
            switch note {
            case .begins(let event, let isAlone, let isOnMain):
                try expect(isAlone, "an event has come during another one")
                try expect(!isOnMain, "an event has come on the main thread")
                events.append(event)
            case .ends:
                if untilTerminal, events.last?.isTerminal == true { return events }
            }
        }
        return events
    }

    /// The events after the terminal one, up to now.
    func eventsAfterTheEnd() async throws -> [TransferEvent] {
        stop()
        return try await events(untilTerminal: false)
    }
}

/// The main thread, or another that serves the main queue, as on Linux.
private enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

extension TransferEvent {
    /// One letter for each kind of event, so that their order can be compared.
    var letter: Character {
        switch self {
        case .sent: "s"
        case .head: "h"
        case .body: "b"
        case .measured: "m"
        case .finished: "."
        case .failed: "!"
        }
    }
}

extension [TransferEvent] {
    /// The order of the events, where consecutive ones of a kind count once. A measurement may come just before the
    /// end.
    var order: String {
        let order = reduce(into: "") { order, event in
            if order.last != event.letter { order.append(event.letter) }
        }
        return order.hasSuffix("m.") ? order.dropLast(2) + "." : order
    }

    /// The body that they delivered.
    var body: Data {
        reduce(into: Data()) { body, event in
            if case .body(let chunk) = event { body.append(chunk) }
        }
    }

    /// The error that they end with.
    var failure: (any Error)? {
        if case .failed(let error) = last { error } else { nil }
    }
}
