import Foundation
import PiuPiu

extension TrafficRecording.Exchange: Codable {
    private enum CodingKeys: CodingKey {
        case request, response, failure
    }

    /// Reads a response or a failure; one of them is required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        request = try container.decode(TrafficRecording.Request.self, forKey: .request)
        outcome =
            if let kind = try container.failure(forKey: .failure) {
                .failure(kind)
            } else {
                .response(try container.decode(TrafficRecording.Response.self, forKey: .response))
            }
    }

    /// Writes the response or the failure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(request, forKey: .request)
        switch outcome {
        case .response(let response): try container.encode(response, forKey: .response)
        case .failure(let kind): try container.encode(kind.rawValue, forKey: .failure)
        }
    }
}

extension TrafficRecording.Request: Codable {
    private enum CodingKeys: CodingKey {
        case method, url, headers, body
    }

    /// Reads a request; headers and body are optional.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        url = try container.decode(URL.self, forKey: .url).forRecordings
        headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        body = try container.decodeIfPresent(RecordedExchange.Body.self, forKey: .body) ?? .none
    }

    /// Writes what there is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(method, forKey: .method)
        try container.encode(url, forKey: .url)
        if !headers.isEmpty { try container.encode(headers, forKey: .headers) }
        if body != .none { try container.encode(body, forKey: .body) }
    }
}

extension TrafficRecording.Response: Codable {
    private enum CodingKeys: CodingKey {
        case status, url, headers, body, failure
    }

    /// Reads a response; only the status is required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = StatusCode(rawValue: try container.decode(Int.self, forKey: .status))
        url = try container.decodeIfPresent(URL.self, forKey: .url)
        headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        body = try container.decodeIfPresent(RecordedExchange.Body.self, forKey: .body) ?? .none
        failure = try container.failure(forKey: .failure)
    }

    /// Writes what there is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status.rawValue, forKey: .status)
        try container.encodeIfPresent(url, forKey: .url)
        if !headers.isEmpty { try container.encode(headers, forKey: .headers) }
        if body != .none { try container.encode(body, forKey: .body) }
        try container.encodeIfPresent(failure?.rawValue, forKey: .failure)
    }
}

extension KeyedDecodingContainer {
    /// The kind of a failure, if there is one.
    fileprivate func failure(forKey key: Key) throws -> TransferError.Kind? {
        guard let name = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let kind = TransferError.Kind(rawValue: name) else {
            let names = TransferError.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "There is no such failure. There are: \(names).")
        }
        return kind
    }
}

extension RecordedExchange.Body: Codable {
    private enum CodingKeys: CodingKey {
        case text, base64, omitted
    }

    /// Reads `{"text": …}`, `{"base64": …}`, `{"omitted": true}` or `{}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = text.isEmpty ? .none : .data(Data(text.utf8))
        } else if let base64 = try container.decodeIfPresent(String.self, forKey: .base64) {
            guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .base64, in: container, debugDescription: "This is not base64.")
            }
            self = data.isEmpty ? .none : .data(data)
        } else {
            self = try container.decodeIfPresent(Bool.self, forKey: .omitted) == true ? .omitted : .none
        }
    }

    /// Writes text where the bytes are UTF-8, else base64.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .none: break
        case .omitted: try container.encode(true, forKey: .omitted)
        case .data(let data):
            // Compared with the bytes, as a byte order mark, for instance, may get lost.
            if let text = String(data: data, encoding: .utf8), Data(text.utf8) == data {
                try container.encode(text, forKey: .text)
            } else {
                try container.encode(data.base64EncodedString(), forKey: .base64)
            }
        }
    }
}
