import PiuPiu

/// A sequence of answers: the first for the first request, the second for the second, from any task.
///
/// ```swift
/// let script = MockScript([.status(.serviceUnavailable), .json(post)])              // 503, then 200 for ever
/// let once = MockScript([.json(post)], afterLast: .fail)                            // 200, then an error
/// ```
///
/// An answer is used up when the request is sent, before its latency, so each request gets another one. Requests that are
/// sent at the same time get them in any order. The copies of a
/// script, and all tables that have it, share its progress: make one for each test. Use it from any thread.
public struct MockScript: Sendable {
    /// What follows the last answer.
    public enum AfterLast: Sendable, Hashable {
        /// The last answer again.
        case repeatLast
        /// An error: ``MockError/usedUp(method:url:answerCount:)``, or for recordings
        /// ``ReplayError/usedUp(method:url:recordingCount:)``.
        case fail
    }

    private let answers: [MockAnswer]
    private let afterLast: AfterLast
    private let requestCount = Locked(0)

    /// Makes a script.
    ///
    /// - Parameters:
    ///   - answers: the answers, in the order of the requests; if empty, every request fails.
    ///   - afterLast: what the later requests get.
    public init(_ answers: [MockAnswer], afterLast: AfterLast = .repeatLast) {
        self.answers = answers
        self.afterLast = afterLast
    }

    /// How many answers the script has.
    var answerCount: Int { answers.count }

    /// The answer to the next request; `nil` when there is none left.
    func next() -> MockAnswer? {
        let place = requestCount.withLock { count in
            defer { count += 1 }
            return count
        }
        return answers.element(at: place, afterLast: afterLast)
    }
}

extension Array {
    /// The element at a place of zero or more, or its substitute beyond the end.
    func element(at place: Int, afterLast: MockScript.AfterLast) -> Element? {
        if place < count { return self[place] }
        return afterLast == .repeatLast ? last : nil
    }
}
