#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    // How a transfer ends.

    extension CurlTransfer {
        /// Its outcome.
        func outcome(of result: Int32) -> TransferEvent {
            if let failure = failure ?? body?.failure { return .failed(failure.naming(url)) }
            if endsWithHead, head.isComplete { return .finished }
            guard result != CurlCode.ok.rawValue else {
                // libcurl doesn't treat a head that was never complete as an error.
                guard head.isComplete else { return .failed(error(.connectionLost)) }
                return wholeOutcome
            }
            guard let pointer else { return .failed(error(.other)) }
            let curlError = CurlError(result, in: pointer).explained(by: refusalOfRepeat)
            if hasWholeResponse, curlError.isBreakOfSending { return wholeOutcome }
            return .failed(error(kind(of: curlError, in: pointer), curlError))
        }

        /// Why it isn't sent again after a loss of its connection.
        private var refusalOfRepeat: String {
            let loss = "The connection, or its stream of HTTP/2, was closed before an answer came, and"
            guard !mayRepeat else { return "\(loss) the request can't be sent once more" }
            return "\(loss) \(method) isn't sent twice without an Idempotency-Key: see RetryPolicy.addsIdempotencyKey"
        }

        /// The kind of an error, with what is known of the transfer.
        private func kind(of curlError: CurlError, in pointer: OpaquePointer) -> TransferError.Kind {
            switch curlError.kind {
            // After a break of a reused connection libcurl has tried a new one: a server may have got the request.
            case .cannotConnect, .hostNotFound: piu_transfer_was_sent(pointer) ? .connectionLost : curlError.kind
            // libcurl 7.88 says so, too, if a connection of HTTP/2 is closed before there is a head.
            case .truncated: head.isComplete ? .truncated : .connectionLost
            // libcurl gives up nothing but connections.
            case .timedOut where setup.connectTimeout != nil && curlError.isUnsent && !piu_transfer_was_sent(pointer):
                .cannotConnect
            case let kind: kind
            }
        }

        /// Its measurements, once the response is complete.
        func metrics() -> TransferMetrics? {
            pointer.map { TransferMetrics(of: $0, version: head.version) }
        }

        /// Whether the response is its head alone, and libcurl doesn't know: with a body, it would wait for one after
        /// the answer to a HEAD, too.
        var endsWithHead: Bool { body != nil && method == "HEAD" }

        /// Whether the response is known to be complete, although libcurl has failed: a server may answer before it has
        /// read the request's body, and then stop reading. Such a response counts (RFC 9113, section 8.1; RFC 9112,
        /// section 9.5).
        ///
        /// Without a length only the end of a coded content shows it. The end of a stream of HTTP/2 doesn't: libcurl
        /// 7.88 loses what it reads in one go with the reset of the stream, and reports the same as if all had come.
        /// Once the request's body is sent, libcurl itself sees the end of the response. Then the end of a content says
        /// nothing, as gzip may have several members.
        var hasWholeResponse: Bool {
            guard let wholeLength else { return decoder?.isComplete == true && isSending }
            return wholeLength == received
        }

        /// Whether a part of the request's body isn't sent: libcurl may not have written what it has read. Of chunks of
        /// unknown length it counts the framing of HTTP/1, too, so the last bytes may count as sent too early.
        private var isSending: Bool {
            guard let body, let pointer else { return false }
            return body.isUnsent || piu_transfer_number(pointer, CurlInfo.uploadSize.rawValue) < body.offset
        }

        /// The outcome of a response that has come to its end.
        var wholeOutcome: TransferEvent { decoder?.isComplete == false ? .failed(error(.truncated)) : .finished }
    }
#endif
