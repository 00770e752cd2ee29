#if canImport(FoundationNetworking)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("Decoding of content codings, in pieces", .timeLimit(.minutes(10)))
    struct ContentDecoderTests {
        static let bodies: [(codings: [ContentCoding], body: Data)] = [
            (ContentCoding.gzip, CodedText.gzip), (.deflate, CodedText.deflate), (.deflate, CodedText.rawDeflate),
            (.br, CodedText.brotli), (.zstd, CodedText.zstd),
        ].filter(\.0.isSupported).map { ([$0], $1) }

        /// Decodes parts as libcurl passes them on: those after a pause come again, cut differently.
        private func decode(
            _ parts: [Data], _ codings: [ContentCoding], pauses: () -> Bool = { false }, cut: (Int) -> Int = { $0 }
        ) throws -> (content: Data, isComplete: Bool) {
            let decoder = try #require(try ContentDecoder(codings))
            var content = Data()
            for part in parts {
                var pending = [part]
                while let next = pending.first {
                    let isRead = try next.withUnsafeBytes { bytes in
                        try decoder.decode(bytes) { piece in
                            content.append(contentsOf: piece)
                            return !pauses()
                        }
                    }
                    if isRead {
                        pending.removeFirst()
                    } else {
                        let whole = pending.reduce(Data(), +)
                        let size = cut(whole.count)
                        pending = [Data(whole.prefix(size)), Data(whole.dropFirst(size))].filter { !$0.isEmpty }
                    }
                }
            }
            return (content, decoder.isComplete)
        }

        private func parts(of data: Data, size: Int) -> [Data] {
            stride(from: 0, to: data.count, by: size).map { data.dropFirst($0).prefix(size) }
        }

        @Test("Each coding is decoded, in parts of any size", arguments: bodies, [1, 2, 7, 1_000])
        func parts(of body: (codings: [ContentCoding], body: Data), size: Int) throws {
            let result = try decode(parts(of: body.body, size: size), body.codings)
            #expect(result.content == CodedText.text)
            #expect(result.isComplete)
        }

        @Test("Every beginning of a body is decoded as far as it goes, and isn't complete", arguments: bodies)
        func everyBeginning(of body: (codings: [ContentCoding], body: Data)) throws {
            for count in 1..<body.body.count {
                let result = try decode([body.body.prefix(count)], body.codings)
                #expect(CodedText.text.starts(with: result.content), "\(count) bytes")
                #expect(!result.isComplete, "\(count) bytes")
            }
        }

        @Test("Pauses anywhere lose nothing, and repeat nothing", arguments: bodies)
        func pauses(in body: (codings: [ContentCoding], body: Data)) throws {
            for _ in 0..<20 {
                let seed = UInt64.random(in: 0...UInt64.max)
                var generator = SeededGenerator(seed: seed)
                let size = Int.random(in: 1...body.body.count, using: &generator)
                let result = try decode(
                    parts(of: body.body, size: size), body.codings,
                    pauses: { Bool.random(using: &generator) }, cut: { Int.random(in: 0...$0, using: &generator) })
                #expect(result.content == CodedText.text && result.isComplete, "seed \(seed)")
            }
        }

        @Test("A piece is small, however large the content")
        func pieces() throws {
            let decoder = try #require(try ContentDecoder([.br]))
            var (count, largest) = (0, 0)
            while try !CodedText.brotliOfZeros.withUnsafeBytes({ bytes in
                try decoder.decode(bytes) { piece in
                    count += piece.count
                    largest = max(largest, piece.count)
                    return false
                }
            }) {}
            #expect(count == 64 << 20)
            #expect(largest <= 64 << 10)
            #expect(decoder.isComplete)
        }

        @Test("gzip may have several members, and something that isn't gzip after them")
        func members() throws {
            for size in [1, 7, 10_000] {
                let two = try decode(parts(of: CodedText.gzip + CodedText.gzip, size: size), [.gzip])
                #expect(two.content == CodedText.text + CodedText.text && two.isComplete)
                let padded = try decode(parts(of: CodedText.gzip + Data(count: 100), size: size), [.gzip])
                #expect(padded.content == CodedText.text && padded.isComplete)
                // The byte in it with which a member begins shows nothing behind another one.
                let tail = Data("<!-- \u{1F} tail -->".utf8)
                let followed = try decode(parts(of: CodedText.gzip + tail, size: size), [.gzip])
                #expect(followed.content == CodedText.text && followed.isComplete)
                if ContentCoding.zstd.isSupported {
                    let frames = try decode(parts(of: CodedText.zstd + CodedText.zstd, size: size), [.zstd])
                    #expect(frames.content == CodedText.text + CodedText.text && frames.isComplete)
                }
                let more = try decode(parts(of: CodedText.brotli + Data("more".utf8), size: size), [.br])
                #expect(more.content == CodedText.text && more.isComplete)
            }
        }

        @Test("Several codings are undone, the last one first")
        func several() throws {
            for size in [1, 7, 1_000] {
                let codings: [ContentCoding] = [.gzip, .gzip, .gzip]
                let body = stored(stored(CodedText.gzip))
                let result = try decode(parts(of: body, size: size), codings, pauses: { size > 1 })
                #expect(result.content == CodedText.text && result.isComplete)
                #expect(try !decode([body.dropLast(20)], codings).isComplete)
            }
            #expect(throws: ContentDecoder.Failure.self) {
                _ = try ContentDecoder(Array(repeating: .gzip, count: 6))
            }
            #expect(try ContentDecoder([]) == nil)
        }

        @Test("A layer that swallows what another one has made without an end is malformed")
        func hiddenWithoutEnd() throws {
            for size in [1, 1_000] {
                #expect(throws: ContentDecoder.Failure.self) {
                    try decode(parts(of: CodedText.endlessNameByGzipTwice, size: size), [.gzip, .gzip, .gzip])
                }
            }
        }

        @Test("What the layers beneath have made is counted for each piece")
        func hiddenCount() throws {
            let decoder = try #require(try ContentDecoder([.gzip, .gzip]))
            var counts: [Int] = []
            let isRead = try stored(CodedText.gzip).withUnsafeBytes { bytes in
                try decoder.decode(bytes) { _ in
                    counts.append(decoder.hiddenCount)
                    return true
                }
            }
            #expect(isRead && counts.first == CodedText.gzip.count)
            #expect(counts.count > 1 && counts.dropFirst().allSatisfy { $0 == 0 })
        }

        @Test("Zstandard's window is limited to 8 MiB (RFC 9659)", .enabled(if: ContentCoding.zstd.isSupported))
        func window() throws {
            // A frame with one raw block; the exponent of its window is above the three lowest bits, less 10.
            func frame(windowLog: UInt8) -> Data {
                Data([0x28, 0xB5, 0x2F, 0xFD, 0, (windowLog - 10) << 3, 0x29, 0, 0]) + Data("whole".utf8)
            }
            #expect(try decode([frame(windowLog: 23)], [.zstd]).content == Data("whole".utf8))
            #expect(throws: ContentDecoder.Failure.self) { try decode([frame(windowLog: 24)], [.zstd]) }
            #expect(throws: ContentDecoder.Failure.self) { try decode([frame(windowLog: 27)], [.zstd]) }
        }

        /// A gzip file with one stored block; the decoder ends at the checksum, so this one is right.
        private func stored(_ data: Data) -> Data {
            var checksum: UInt32 = ~0
            for byte in data {
                checksum ^= UInt32(byte)
                for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            func littleEndian(_ value: some FixedWidthInteger) -> Data {
                withUnsafeBytes(of: value.littleEndian) { Data($0) }
            }
            let size = UInt16(data.count)
            return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]) + littleEndian(size) + littleEndian(~size) + data
                + littleEndian(~checksum) + littleEndian(UInt32(data.count))
        }

        @Test("Malformed content is an error, at every byte", arguments: bodies)
        func everyByte(of body: (codings: [ContentCoding], body: Data)) throws {
            var errors = 0
            for index in body.body.indices {
                var damaged = body.body
                damaged[index] ^= 0x55
                do throws(any Error) {
                    let result = try decode([damaged], body.codings)
                    // Some bits mean nothing, and only gzip and zlib have a checksum that is always there.
                    if body.codings == [.gzip] { #expect(result.content == CodedText.text || !result.isComplete) }
                } catch {
                    errors += 1
                    #expect(error is ContentDecoder.Failure)
                }
            }
            #expect(errors > 0)
        }
    }
#endif
