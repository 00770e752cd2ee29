#if canImport(Darwin)
    import Foundation

    // On Linux a suspended task would repeat its request: nothing is held up there.
    extension SessionHop {
        func pause() { setPaused(true) }

        func resume() { setPaused(false) }

        private func setPaused(_ isPaused: Bool) {
            // Under the lock, as where the task is made: neither call overtakes the other. A task counts how often it
            // was suspended.
            state.withLock { state in
                guard state.isPaused != isPaused else { return }
                state.isPaused = isPaused
                if isPaused { state.task?.suspend() } else { state.task?.resume() }
            }
        }

        /// The server is not trusted; its challenge is cancelled, and the task with it.
        func refused(_ kind: TransferError.Kind) {
            state.withLock { $0.course.refusal = kind }
        }

        /// The caller's handler cancels a challenge, and the task with it.
        func refused(_ challenge: URLAuthenticationChallenge) {
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust: refused(.untrustedAuthority)
            case NSURLAuthenticationMethodClientCertificate: refused(.clientCertificateRequired)
            default: challenged(by: challenge.failureResponse)
            }
        }

        /// The task waits for a network.
        func waitsForNetwork() {
            state.withLock { $0.course.waitsForNetwork() }
        }

        /// The session has measured the task, and is about to complete it.
        func measured(_ metrics: URLSessionTaskMetrics) {
            // The session may try a second connection after one that was closed. A look into its cache has a date, too.
            let hasBegun = metrics.transactionMetrics.contains {
                $0.resourceFetchType != .localCache && $0.requestStartDate != nil
            }
            let metrics = TransferMetrics(metrics)
            state.withLock { state in
                state.metrics = metrics
                if hasBegun { state.course.hasBegunRequest = true }
            }
        }
    }

    extension SessionHop: ExplainedHandle {
        func cancel(because error: any Error) { cancel() }

        /// The server wasn't silent if the task still waits for a network. After that the session limits the silence.
        func recover(from error: any Error) -> Bool { state.withLock { $0.course.isWaitingForNetwork } }
    }
#endif
