#if canImport(CPiuPiuCurl)
    import Foundation

    /// The body of a request, read by libcurl.
    final class CurlBody {
        private enum Content {
            case data(Data)
            case file(FileHandle, URL)
            case chunks
        }

        private let content: Content

        /// The total number of bytes; -1 if unknown.
        let length: Int64

        /// How much has been read.
        private(set) var offset: Int64 = 0

        /// Whether libcurl hasn't read it to its end.
        var isUnsent: Bool { length < 0 ? !isLastChunk : offset < length }

        /// Whether libcurl waits for the next chunk.
        private(set) var isStarved = false

        /// Why the body can't be sent to its end.
        private(set) var failure: TransferError?

        private var pace = UploadPace()
        private var chunk = Data()
        private var isLastChunk = false
        private var supply: CurlSupply?

        /// Opens a body; `nil` for none.
        init?(_ body: TransferBody) throws(TransferError) {
            switch body {
            case .none:
                return nil
            case .data(let data):
                guard !data.isEmpty else { return nil }
                content = .data(data)
                length = Int64(data.count)
            case .file(let url):
                guard let (file, count) = try RegularFile.openBody(url) else { return nil }
                content = .file(file, url)
                length = count
            case .chunks(let chunks):
                // libcurl would take a negative one for unknown.
                guard chunks.length ?? 0 >= 0 else { throw TransferError(.unreadableBody) }
                content = .chunks
                length = chunks.length ?? -1
            }
        }

        /// Puts the next bytes into a buffer, at a time in nanoseconds; returns their count, or an instruction for libcurl.
        func read(into buffer: UnsafeMutableRawBufferPointer, at now: UInt64) -> Int {
            let limit = min(buffer.count, pace.nextPart(at: now, offset: offset))
            let count: Int
            switch content {
            case .data(let data):
                count = min(limit, data.count - Int(offset))
                let start = data.startIndex + Int(offset)
                data.copyBytes(to: buffer, from: start..<start + count)
            case .file(let file, let url):
                // No more than announced, even if the file has grown meanwhile.
                let rest = length < 0 ? limit : Int(min(Int64(limit), length - offset))
                count = rest == 0 ? 0 : Foundation.read(file.fileDescriptor, buffer.baseAddress, rest)
                guard count > 0 || count == 0 && offset >= length else { return fail(url) }
            case .chunks:
                guard !chunk.isEmpty else { return readNoChunk() }
                count = chunk.copyBytes(to: buffer, count: min(limit, chunk.count))
                chunk = chunk.dropFirst(count)
                if chunk.isEmpty { supply.take()?.answer(true) }
            }
            offset += Int64(count)
            return count
        }

        private func readNoChunk() -> Int {
            guard isLastChunk else {
                isStarved = true
                // The wait for a chunk says nothing about the network.
                pace = UploadPace()
                return CurlAnswer.pauseReading
            }
            return 0
        }

        private func fail(_ url: URL) -> Int {
            failure = TransferError(.unreadableBody, url: url)
            return CurlAnswer.abortReading
        }

        /// Stores the next chunk, or `nil` after the last one; returns whether libcurl waits for it.
        func take(_ next: Data?, from supply: CurlSupply) -> Bool {
            chunk = next ?? Data()
            isLastChunk = next == nil
            self.supply = supply
            defer { isStarved = false }
            return isStarved
        }

        /// Begins again; returns whether that is possible: chunks can be read only once.
        func rewind() -> Bool {
            guard offset > 0 else { return true }
            switch content {
            case .data: break
            case .file(let file, _):
                do { try file.seek(toOffset: 0) } catch { return false }
            case .chunks: return false
            }
            (offset, pace) = (0, UploadPace())
            return true
        }

        /// Ends the reading.
        func close() {
            supply.take()?.answer(false)
            // The file was only read, so nothing can be lost.
            if case .file(let file, _) = content { try? file.close() }
        }
    }
#endif
