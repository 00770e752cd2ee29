public import Foundation

extension ResponseInterface where T == Data? {
    /// The body, which is required.
    ///
    /// - Throws: ``SerializationError/unexpectedEmptyResponse`` if there is none, or one of zero bytes.
    public func unwrapData() throws -> Data {
        guard let data, !data.isEmpty else { throw SerializationError.unexpectedEmptyResponse }
        return data
    }

    /// The body as text.
    ///
    /// - Throws: what ``unwrapData()`` throws, and ``SerializationError/failedToDecodeResponseData(cause:)``.
    public func decodeString(encoding: String.Encoding = .utf8) throws -> String {
        guard let string = String(try unwrapData(), in: encoding) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }
        return string
    }

    /// Decodes the body from JSON.
    ///
    /// ```swift
    /// let posts = try response.decode([Post].self)
    /// ```
    ///
    /// - Throws: what ``unwrapData()`` throws, and ``SerializationError/failedToDecodeResponseData(cause:)`` with the
    ///   error of the decoder.
    public func decode<D: Decodable>(
        _ type: D.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .rfc3339
    ) throws -> D {
        let data = try unwrapData()
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateDecodingStrategy
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw SerializationError.failedToDecodeResponseData(cause: error)
        }
    }
}
