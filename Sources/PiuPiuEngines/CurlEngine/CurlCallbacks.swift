#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    // The one place where libcurl's pointers become Swift objects.
    //
    // Sound: a transfer's context is the transfer itself, from its start on. Its loop retains it as long as libcurl has
    // it: in `transfers`, `ends` or `abandoned` until `free()`, after which libcurl calls back no more. Everything happens
    // on the loop's thread, and the buffers are used only within the call that passes them.

    extension CurlTransfer {
        private static let callbacks = piu_callbacks(
            header: { bytes, _, count, context in
                transfer(context).receiveLine(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
            },
            body: { bytes, _, count, context in
                transfer(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            read: { bytes, size, count, context in
                transfer(context).sendBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            },
            seek: { context, _, _ in
                transfer(context).rewindBody() ? CurlAnswer.canSeek : CurlAnswer.cannotSeek
            })

        /// Runs before libcurl looks up a host, also an address, if it has neither a connection nor a recent answer.
        private static let onLookUp:
            @convention(c) @Sendable (
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer
            ) -> Int32 = { _, _, context in transfer(context).beginLookUp() ? 0 : 1 }

        private static func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
            Unmanaged.fromOpaque(context).takeUnretainedValue()
        }

        /// Makes a handle of libcurl, for any transfer.
        static func makeHandle(on loop: OpaquePointer) -> OpaquePointer? {
            withUnsafePointer(to: callbacks) { piu_transfer_new(loop, $0) }
        }

        /// Passes a handle on to libcurl, as that of this transfer. Returns a result.
        func start(_ handle: OpaquePointer, mayRepeat: Bool, patience: Int32) -> Int32 {
            let context = Unmanaged.passUnretained(self).toOpaque()
            // Sound: of these two options libcurl copies no text. It keeps the pointers: to a function of this type,
            // and to its context.
            let onLookUp = unsafeBitCast(Self.onLookUp, to: UnsafePointer<CChar>.self)
            piu_transfer_set_text(handle, CurlOption.lookUpCallback.rawValue, onLookUp)
            piu_transfer_set_text(
                handle, CurlOption.lookUpContext.rawValue, context.assumingMemoryBound(to: CChar.self))
            return piu_transfer_start(handle, context, mayRepeat, patience)
        }

        /// The next transfer that libcurl has finished, and its result.
        static func nextDone(on loop: OpaquePointer) -> (CurlTransfer, Int32)? {
            var result: Int32 = 0
            return piu_loop_next_done(loop, &result).map { (transfer($0), result) }
        }
    }
#endif
