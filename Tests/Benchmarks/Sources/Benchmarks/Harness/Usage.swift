import Foundation

/// What doing something takes: time, and the processor time of the whole process, of all its threads together.
struct Usage: Sendable {
    var seconds: Double
    var processorSeconds: Double

    /// Measures from its creation on.
    struct Meter {
        private let start = ContinuousClock.now
        private let processorStart = Usage.processorSecondsOfProcess

        var usage: Usage {
            Usage(
                seconds: start.duration(to: .now) / .seconds(1),
                processorSeconds: Usage.processorSecondsOfProcess - processorStart)
        }
    }

    static func / (usage: Usage, count: Int) -> Usage {
        Usage(seconds: usage.seconds / Double(count), processorSeconds: usage.processorSeconds / Double(count))
    }

    /// User and system time.
    private static var processorSecondsOfProcess: Double {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
            sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
    }
}
