#if os(Linux) || os(macOS)
    package import Foundation

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A program that a test runs.
    ///
    /// Not with Foundation's `Process`: on Linux that reads beyond a folder's last entries. With some 1,360 open
    /// descriptors, as many as fill the buffer, this sometimes crashes the tests.
    package enum ChildProcess {
        /// Runs a program of the search path to its end, and gives its exit status, or minus the signal that ended it.
        ///
        /// - Parameters:
        ///   - program: its name, or its path.
        ///   - output: the file for its output and its errors. By default they are printed here.
        package static func run(_ program: String, _ arguments: [String], output: URL? = nil) async throws -> Int32 {
            let child = try spawn(program, arguments, output: output)
            return await withCheckedContinuation { continuation in
                // A thread of its own, as it blocks.
                Thread.detachNewThread { continuation.resume(returning: status(of: child)) }
            }
        }

        private static func spawn(_ program: String, _ arguments: [String], output: URL?) throws -> pid_t {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
            #else
                var actions = posix_spawn_file_actions_t()
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            if let output {
                let flags = O_WRONLY | O_CREAT | O_TRUNC
                posix_spawn_file_actions_addopen(&actions, 1, output.path(percentEncoded: false), flags, 0o600)
                posix_spawn_file_actions_adddup2(&actions, 1, 2)
            }
            // Not the sockets of other tests: they would stay open as long as the program runs.
            #if canImport(Darwin)
                // To close a descriptor that another thread has closed meanwhile would be an error.
                var attributes: posix_spawnattr_t?
                posix_spawnattr_init(&attributes)
                defer { posix_spawnattr_destroy(&attributes) }
                posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
                let inherited: ClosedRange<Int32> = output == nil ? 0...2 : 0...0
                for descriptor in inherited where fcntl(descriptor, F_GETFD) >= 0 {
                    posix_spawn_file_actions_addinherit_np(&actions, descriptor)
                }
            #else
                for descriptor in 3..<min(getdtablesize(), 65_536) where fcntl(descriptor, F_GETFD) >= 0 {
                    posix_spawn_file_actions_addclose(&actions, descriptor)
                }
            #endif
            let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
            var child = pid_t()
            let failure = withCStrings([program] + arguments) { arguments in
                withCStrings(environment) { environment in
                    #if canImport(Darwin)
                        return posix_spawnp(&child, program, &actions, &attributes, arguments, environment)
                    #else
                        return posix_spawnp(&child, program, &actions, nil, arguments, environment)
                    #endif
                }
            }
            guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
            return child
        }

        /// Sound: the copies are freed after `body` has returned, and the called function keeps none.
        private static func withCStrings<Output>(
            _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Output
        ) -> Output {
            let copies = strings.map { strdup($0) } + [nil]
            defer { for copy in copies { free(copy) } }
            return body(copies)
        }

        private static func status(of child: pid_t) -> Int32 {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            // WIFEXITED, WEXITSTATUS and WTERMSIG, which Swift doesn't import.
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : -signal
        }
    }
#endif
