#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// For tests whose client is a process of its own, so that no other test counts. The server may be in the test's
    /// process, and does not count either.
    enum ClientProcess {
        /// Seconds that the processor has spent on this process, all threads together.
        static func processorSeconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        /// The processor's seconds while the process is idle.
        static func processorSeconds(idle milliseconds: Int) async -> Double {
            let before = processorSeconds()
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                    continuation.resume()
                }
            }
            return processorSeconds() - before
        }

        /// The same, measured up to three times until it is short enough: a machine under load may disturb one of them.
        static func leastProcessorSeconds(idle milliseconds: Int, atMost limit: Double) async -> Double {
            var least = Double.infinity
            for _ in 0..<3 where least > limit { least = min(least, await processorSeconds(idle: milliseconds)) }
            return least
        }

        /// Lets the process open no more descriptors than this at once.
        static func limitDescriptors(to count: Int) throws {
            var limit = rlimit()
            try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            limit.rlim_cur = rlim_t(count)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        }

        /// A GET of the server in the other process.
        static func request(_ path: String, of server: String) throws -> URLRequest {
            var request = URLRequest(url: try url(server + path))
            request.timeoutInterval = 3600
            return request
        }
    }
#endif
