#if canImport(CPiuPiuCurl)
    package import Foundation

    /// The head of a response, from its lines.
    package struct CurlHead {
        /// How many bytes the heads of a response may have, with those of its interim responses. Some versions of
        /// libcurl have no limit, and the others have 300 KiB.
        private static let limit = 256 << 10

        /// Few heads are larger.
        private static let usualSize = 512

        private let url: URL?
        private var status = 0
        /// The version of HTTP in the last status line.
        private(set) var version = ""
        private var lines = HeadLines()
        /// Where the name of the last field is in the lines.
        private var lastName = 0..<0

        /// Whether the head of the final response is complete; later lines are trailers.
        package private(set) var isComplete = false

        private var size = 0
        private var hasFoldedLength = false
        private var lacksStatus = false

        /// Whether more has come than a head may have, the status is no number of HTTP, or libcurl understands the end
        /// of the body in another way.
        package var isInvalid: Bool { size > Self.limit || lacksStatus || hasFoldedLength }

        package init(_ url: URL?) {
            self.url = url
        }

        /// Adds a line; the last, empty line returns the head, perhaps that of an interim response.
        package mutating func take(_ line: UnsafeRawBufferPointer) -> TransferHead? {
            guard !isComplete else { return nil }
            size += line.count
            // libcurl passes on what has come of a line when the server closes in the middle of it.
            guard !isInvalid, line.last == UInt8(ascii: "\n"), let first = line.first else { return nil }
            // So it is for libcurl, which frames the body. A line of blanks isn't the end: it continues a field.
            guard first != UInt8(ascii: "\r"), first != UInt8(ascii: "\n") else { return finish() }
            let line = line.trimmed(atStart: false)
            if status == 0 {
                takeStatus(line)
            } else if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                continueField(with: line.trimmed(atStart: true))
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                lastName = lines.bytes.count..<lines.bytes.count + colon
                // Rebased, since the compiler copies the bytes of a slice one by one.
                lines.append(
                    name: UnsafeRawBufferPointer(rebasing: line[..<colon]),
                    value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed(atStart: true))
            }
            return nil
        }

        /// Replaces a fold by a space (RFC 9112, section 5.2). libcurl frames the body by what comes before the fold.
        private mutating func continueField(with rest: UnsafeRawBufferPointer) {
            hasFoldedLength = isAboutLength(lastName)
            // Blanks at the ends of a value don't belong to it.
            guard !hasFoldedLength, !rest.isEmpty else { return }
            lines.continueLast(with: rest, isEmpty: lines.bytes.count == lastName.upperBound + 2)
        }

        private func isAboutLength(_ name: Range<Int>) -> Bool {
            let name = lines.bytes[name]
            return ["transfer-encoding", "content-length"].contains { known in
                name.count == known.utf8.count && zip(name, known.utf8).allSatisfy { $0.loweredASCII == $1 }
            }
        }

        /// Takes the status of up to three digits, whatever comes after them: libcurl frames the body by it.
        private mutating func takeStatus(_ line: UnsafeRawBufferPointer) {
            let end = line.firstIndex(where: \.isASCIISpace) ?? line.endIndex
            version = String(decoding: line[..<end], as: UTF8.self)
            let digits = line[end...].drop(while: \.isASCIISpace).prefix(3).prefix { (0x30...0x39).contains($0) }
            status = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            lacksStatus = status < 100
            lines.reserveCapacity(Self.usualSize)
        }

        private mutating func finish() -> TransferHead? {
            defer {
                status = 0
                lines = HeadLines()
                lastName = 0..<0
            }
            guard status >= 100, let url else { return nil }
            isComplete = status >= 200
            return TransferHead(url: url, status: status, version: version, lines: lines)
        }
    }

    extension UnsafeRawBufferPointer {
        /// Without the white space at its end, and optionally at its start.
        fileprivate func trimmed(atStart: Bool) -> UnsafeRawBufferPointer {
            func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }
            var (start, end) = (startIndex, endIndex)
            while end > start, isSpace(self[end - 1]) { end -= 1 }
            while atStart, start < end, isSpace(self[start]) { start += 1 }
            return UnsafeRawBufferPointer(rebasing: self[start..<end])
        }
    }

    extension TransferHead {
        /// Whether the fields announce no end of a body (RFC 9112, section 6.3).
        var isOpenEnded: Bool {
            guard version?.hasPrefix("HTTP/1") == true, announcedLength == .none else { return false }
            return values(for: "Transfer-Encoding").last?.lowercased().hasSuffix("chunked") != true
        }
    }
#endif
