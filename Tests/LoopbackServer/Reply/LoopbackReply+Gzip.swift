public import Foundation

extension LoopbackReply {
    /// A response whose body has the content coding gzip.
    public static func gzip(_ body: Data, contentType: String = "text/plain; charset=utf-8") -> LoopbackReply {
        .response(headers: gzipHeaders(contentType), body: gzipped(body, corrupt: false))
    }

    /// The same with a body that can't be decoded after its first half.
    public static func corruptGzip(_ body: Data, contentType: String = "text/plain; charset=utf-8") -> LoopbackReply {
        .response(headers: gzipHeaders(contentType), body: gzipped(body, corrupt: true))
    }

    private static func gzipHeaders(_ contentType: String) -> [LoopbackHeader] {
        [LoopbackHeader("Content-Type", contentType), LoopbackHeader("Content-Encoding", "gzip")]
    }

    /// A gzip file of stored blocks (RFC 1951, 3.2.4): valid without a compressor, and so without a library.
    static func gzipped(_ body: Data, corrupt: Bool) -> Data {
        var output = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        let half = (body.count + 1) / 2
        let size = max(1, min(half, 0xFFFF))
        var offset = 0
        repeat {
            let block = body.dropFirst(offset).prefix(size)
            offset += block.count
            let length = UInt16(block.count)
            // The second length is the first one's complement; when it isn't, a decoder must give up.
            let complement = corrupt && offset > half ? length : ~length
            output.append(offset >= body.count ? 1 : 0)
            output.append(contentsOf: littleEndian(length) + littleEndian(complement))
            output.append(block)
        } while offset < body.count
        output.append(contentsOf: littleEndian(corrupt ? ~crc32(body) : crc32(body)))
        output.append(contentsOf: littleEndian(UInt32(truncatingIfNeeded: body.count)))
        return output
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
