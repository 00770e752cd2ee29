import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records what an engine reports about one exchange.
///
/// Each event is noted when its call begins and when it ends, so that calls that overlap are seen.
struct EventTape: Sendable {
    enum Note: Sendable {
        case begins(TransferEvent, isMainThread: Bool)
        case ends
    }

    let notes: AsyncStream<Note>
    private let recorder: AsyncStream<Note>.Continuation

    init() {
        (notes, recorder) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// The closure for an engine.
    var onEvent: @Sendable (TransferEvent) -> Void {
        { [recorder] event in
            recorder.yield(.begins(event, isMainThread: Thread.isMainThread))
            recorder.yield(.ends)
        }
    }

    /// Ends the recording; what was recorded remains.
    func stop() { recorder.finish() }

    /// The events up to the terminal one, or up to `stop()`; checks that they came one at a time and off the main
    /// thread.
    func events(untilTerminal: Bool = true) async throws -> [TransferEvent] {
        var events: [TransferEvent] = []
        var isInside = false
        for await note in notes {
            switch note {
            case .begins(let event, let isMainThread):
                try expect(!isInside, "an event has come during another one")
                try expect(!isMainThread, "an event has come on the main thread")
                isInside = true
                events.append(event)
            case .ends:
                isInside = false
                if untilTerminal, events.last?.isTerminal == true { return events }
            }
        }
        return events
    }
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
