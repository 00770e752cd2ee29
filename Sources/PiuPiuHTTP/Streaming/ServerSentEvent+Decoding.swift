public import Foundation

extension ServerSentEvent {
    /// Decodes the data from JSON.
    ///
    /// ```swift
    /// for try await event in response.data.serverSentEvents where event.event == "price" {
    ///     show(try event.decode(Price.self))
    /// }
    /// ```
    ///
    /// It works on the calling thread. `decodedEvents` of a streamed response decodes in the background, and its errors
    /// name the response.
    ///
    /// - Throws: ``ResponseDecodingError``, which holds the decoder's error, when the data can't be decoded. The data is
    ///   its ``ResponseDecodingError/body``; an event knows no URL, status or headers.
    public func decode<D: Decodable>(_ type: D.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> D {
        let data = Data(data.utf8)
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw ResponseDecodingError(
                decodingEvent: readableName(of: type), data: data, underlyingError: error)
        }
    }
}
