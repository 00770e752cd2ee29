import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parsers for downloads, retries and errors.
extension FuzzedParser {
    static let transferFields = [retryAfter, contentRange, contentDisposition, secretText, secretURLs]

    private static let retryAfter = FuzzedParser(
        "Retry-After",
        pieces: ["0", "9", "99999999", " ", "\t", "-", ".", ",", "GMT", "Sun, 06 Nov 1994 08:49:37 GMT"],
        examples: ["Sun, 06 Nov 1994 08:49:37 GMT", "120"]
    ) { bytes in
        let now = 784_111_700.0
        let head = TransferHead(
            url: URL(filePath: "/"), status: 503, fields: [(name: "Retry-After", value: text(bytes))])
        guard let wait = RetryAfter.wait(in: head, now: now) else { return }
        try check(Duration.zero <= wait && wait <= RetryAfter.longest, "\(wait)")
        try check(RetryAfter(" \(text(bytes))\t", now: now) == RetryAfter(text(bytes), now: now), "space counts")
    }

    private static let contentDisposition = FuzzedParser(
        "Content-Disposition",
        pieces: [
            "attachment", ";", "; ", "filename", "*", "=", "\"", "\\", "/", ".", "..", "%", "%2F", "%2e", "%00", "%C3",
            "é",
            "UTF-8''", "iso-8859-1''", " ",
        ],
        examples: [
            "attachment; filename=\"../a \\\"b\\\".txt\"; filename*=UTF-8''%2e%2e%2fr%C3%A4tes.txt",
            "a; filename*=iso-8859-1'en'%A3.txt",
        ]
    ) { bytes in
        let url = URL(filePath: "/..%2f")
        let head = TransferHead(url: url, status: 200, fields: [(name: "Content-Disposition", value: text(bytes))])
        let name = Response(data: 0, urlRequest: URLRequest(url: url), head: head).suggestedFileName
        try check(!name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix("."), "\(name)")
        try check(!name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 0x20 }, "\(name)")
    }

    private static let contentRange = FuzzedParser(
        "Content-Range",
        pieces: ["bytes", " ", "0", "9", "99999999", "-", "/", "*", "+", "\t", "bytes 0-9/10", "Bytes"],
        examples: ["bytes 5-9/10", "bytes 5-18446744073709551615/*", "bytes */10"]
    ) { bytes in
        let url = URL(filePath: "/")
        var request = URLRequest(url: url)
        request.setValue("bytes=5-", forHTTPHeaderField: "Range")
        let range = (name: "Content-Range", value: text(bytes))
        let part = FileAnswer(TransferHead(url: url, status: 206, fields: [range]), to: request, resumption: nil)
        if case .file(let offset, let length) = part { try check(offset == 0 && (length ?? 0) > 0, "\(part)") }
        let record = DownloadRecord(url: "/", validator: "\"a\"", total: nil)
        let resumption = DownloadResumption(length: 5, checksum: FileChecksum(), record: record)
        let rest = FileAnswer(
            TransferHead(url: url, status: 206, fields: [range]), to: request, resumption: resumption)
        if case .file(let offset, let length) = rest { try check(offset == 5 && (length ?? 0) > 0, "\(rest)") }
        let whole = FileAnswer(TransferHead(url: url, status: 200, fields: [range]), to: request, resumption: nil)
        try check(whole == .file(offset: 0, length: nil) || whole == .unfit(.contradictory), "\(whole)")
    }

    private static let secretText = FuzzedParser(
        "Secrets in text",
        pieces: [
            "token", "=", "\"", ":", "&", " ", "bearer ", "basic\t", "abcdefghijklmnop", "<", "'", "{", "password=",
            "é",
        ],
        examples: ["{\"error\": \"token=abc was refused, Bearer abcdefghijklmnop0 too\", \"password\": \"x\"}"]
    ) { bytes in
        // Whatever stands before it, a secret doesn't survive.
        let secret = "abc0123456789xyz", noise = text(bytes)
        for part in ["{\"token\": \"\(secret)\"}", "&password=\(secret)&", " Bearer \(secret)"] {
            let redacted = SecretText.redacted(noise + part)
            try check(!redacted.contains(secret), "\(noise + part) becomes \(redacted)")
        }
    }

    private static let secretURLs = FuzzedParser(
        "Secrets of URLs in text",
        pieces: [
            "https://", "u:p@", "/", "?", "&", "=", "#", ";", ":", "@", "token", "a", "%3F", "token%3D", "\\",
            "\\u0026", "\\u", "\"", "'", "<", ">", " ", "é",
        ],
        examples: [#"{"next": "https:\/\/u:p@a.b\/c;sid=1?token=b\u0026c=%2Fd%3Ftoken%3De#pin=1"}"#]
    ) { bytes in
        // Whatever stands before it, a secret doesn't survive.
        let secret = "abc0123456789xyz", noise = text(bytes)
        for part in ["\"https://a.b/?token=\(secret)\"", "\"https://u:\(secret)@a.b/\"", "'?token=\(secret)'"] {
            let redacted = text(SecretURLs.redacted(Array((noise + part).utf8), by: .secrets))
            try check(!redacted.contains(secret), "\(noise + part) becomes \(redacted)")
        }
        // What decoded still decodes.
        let json = try JSONSerialization.data(withJSONObject: [noise])
        let shown = Data(SecretURLs.redacted(Array(json), by: .secrets))
        let decoded = try? JSONSerialization.jsonObject(with: shown)
        try check(decoded != nil, "\(text(Array(json))) becomes \(text(Array(shown)))")
    }
}
