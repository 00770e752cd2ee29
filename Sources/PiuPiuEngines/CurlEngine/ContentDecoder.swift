#if canImport(CPiuPiuCurl)
    import CPiuPiuCodings

    /// Decodes the body of a response, in pieces, whatever their size.
    package final class ContentDecoder {
        /// The content is malformed, or there is no memory for a decoder.
        package struct Failure: Error {}

        /// As many codings are decoded as libcurl does: more of them are an attack.
        private static let limit = 5
        /// How many bytes the layers beneath the last one may make between two pieces of content: a few bytes on the
        /// network can become gigabytes there, which the header of the next layer swallows.
        private static let hiddenLimit = 4 << 20
        /// How many bytes are decoded at once.
        private static let pieceSize = 64 << 10

        private let decoder: OpaquePointer
        /// Decodes the codings that were applied after this one.
        private let source: ContentDecoder?
        /// What the source has decoded, and which part of it hasn't been read.
        private var decoded: [UInt8] = []
        private var unread = 0..<0
        private var output: [UInt8]
        private var hasEnded = false
        /// Whether nothing more can be decoded without further input.
        private var isDrained = true
        /// How many of the bytes that come again after a pause have been read.
        private var alreadyRead = 0
        /// How many bytes the layers beneath the last one have made since the last piece, for the sake of the next one.
        package private(set) var hiddenCount = 0

        /// Makes a decoder for codings, in the order in which they were applied; `nil` for none.
        package init?(_ codings: [ContentCoding]) throws(Failure) {
            guard let coding = codings.first else { return nil }
            guard codings.count <= Self.limit else { throw Failure() }
            source = try ContentDecoder(Array(codings.dropFirst()))
            guard let decoder = piu_decoder_new(coding.decoder) else { throw Failure() }
            self.decoder = decoder
            output = Array(repeating: 0, count: Self.pieceSize)
        }

        deinit {
            piu_decoder_free(decoder)
        }

        /// Whether the content has come to its end.
        package var isComplete: Bool { hasEnded && source?.isComplete != false }

        /// Decodes bytes, and passes on each piece, until `take` returns false for a pause.
        ///
        /// - Returns: whether all bytes have been decoded; otherwise they have to come again, perhaps in other parts.
        package func decode(
            _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
        ) throws(Failure) -> Bool {
            let known = min(alreadyRead, bytes.count)
            alreadyRead -= known
            var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(known))
            while true {
                let count = try read(&rest, into: &output, hidden: &hiddenCount)
                guard count > 0 else { return true }
                let goesOn = output.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
                hiddenCount = 0
                guard goesOn else {
                    alreadyRead += bytes.count - rest.count
                    return false
                }
            }
        }

        /// Decodes one piece; none once all input has been read. Adds to `hidden` what the layers beneath have made.
        private func read(
            _ input: inout UnsafeRawBufferPointer, into output: inout [UInt8], hidden: inout Int
        ) throws(Failure) -> Int {
            guard let source else { return try run(&input, into: &output) }
            while true {
                let written = try readDecoded(into: &output)
                guard written == 0 else { return written }
                if decoded.isEmpty { decoded = Array(repeating: 0, count: Self.pieceSize) }
                unread = 0..<(try source.read(&input, into: &decoded, hidden: &hidden))
                if unread.isEmpty { return 0 }
                hidden += unread.count
                guard hidden <= Self.hiddenLimit else { throw Failure() }
            }
        }

        /// Decodes a piece of what the source has decoded.
        private func readDecoded(into output: inout [UInt8]) throws(Failure) -> Int {
            let decoded = self.decoded
            let (result, left) = decoded.withUnsafeBytes { bytes in
                var rest = UnsafeRawBufferPointer(rebasing: bytes[unread])
                let result = Result { () throws(Failure) in try run(&rest, into: &output) }
                return (result, rest.count)
            }
            unread = (unread.upperBound - left)..<unread.upperBound
            return try result.get()
        }

        private func run(
            _ input: inout UnsafeRawBufferPointer, into output: inout [UInt8]
        ) throws(Failure) -> Int {
            while !(input.isEmpty && isDrained) {
                var (read, written) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
                let state = output.withUnsafeMutableBytes {
                    piu_decoder_run(decoder, input.baseAddress, &read, $0.baseAddress, &written)
                }
                guard state != PIU_DECODER_FAILED, read > 0 || written > 0 || input.isEmpty else { throw Failure() }
                hasEnded = state == PIU_DECODER_END
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst(Int(read)))
                isDrained = written < output.count
                if written > 0 { return Int(written) }
            }
            return 0
        }
    }
#endif
