public import Foundation

extension HTTPBodyHolding {
    /// Sets the body to the JSON of a value, and the Content-Type to `application/json` if there is none yet.
    ///
    /// ```swift
    /// try request.setJSONBody(post)
    /// ```
    ///
    /// When it throws, the request stays as it was.
    ///
    /// A `String` becomes a string of JSON, in quotation marks: what is JSON already is for ``setJSONBody(string:)`` or
    /// ``setJSONBody(data:)``.
    ///
    /// - Parameters:
    ///   - encodable: the value.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` with the error of the encoder.
    public mutating func setJSONBody<Value: Encodable>(
        _ encodable: Value, encoder: JSONEncoder = JSONEncoder()
    ) throws(RequestBodyError) {
        do {
            httpBody = try encoder.encode(encodable)
        } catch {
            throw RequestBodyError(
                .unencodableValue(typeName: readableName(of: Value.self)), request: nameForErrors,
                underlyingError: error)
        }
        ensureJSONContentType()
    }

    /// Sets the body to the JSON of a value: the same as the method without the label.
    public mutating func setJSONBody<Value: Encodable>(
        encodable: Value, encoder: JSONEncoder = JSONEncoder()
    ) throws(RequestBodyError) {
        try setJSONBody(encodable, encoder: encoder)
    }

    /// Sets the body to the JSON of a value with its dates in a format, and the Content-Type to `application/json` if
    /// there is none yet.
    ///
    /// - Parameters:
    ///   - encodable: the value.
    ///   - dateEncodingStrategy: how dates are written.
    /// - Throws: ``RequestBodyError`` with the error of the encoder; the request stays as it was.
    public mutating func setJSONBody<Value: Encodable>(
        _ encodable: Value, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    ) throws(RequestBodyError) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dateEncodingStrategy
        try setJSONBody(encodable, encoder: encoder)
    }

    /// Sets the body to the JSON of a value with its dates in a format: the same as the method without the label.
    public mutating func setJSONBody<Value: Encodable>(
        encodable: Value, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    ) throws(RequestBodyError) {
        try setJSONBody(encodable, dateEncodingStrategy: dateEncodingStrategy)
    }

    /// Sets the body to bytes that are JSON already, and the Content-Type to `application/json` if there is none yet.
    public mutating func setJSONBody(data: Data) {
        httpBody = data
        ensureJSONContentType()
    }

    /// Sets the body to a string of JSON that has the bytes in Base64, as in PiuPiu 1.x, even if they are JSON already.
    @available(
        *, deprecated,
        message: "This sends a text in Base64. Use setJSONBody(data:) for JSON, setJSONBody(encodable:) for that text."
    )
    public mutating func setJSONBody(_ data: Data) throws(RequestBodyError) {
        try setJSONBody(encodable: data)
    }

    /// Sets the body to a JSON object, and the Content-Type to `application/json` if there is none yet.
    ///
    /// A `nil` becomes the JSON `null`.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/invalidJSON`` if the object holds a value
    ///   that JSON can't express, such as a date; the request stays as it was.
    public mutating func setJSONBody(
        jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []
    ) throws(RequestBodyError) {
        try setHTTPBody(jsonObject: jsonObject, options: options)
        ensureJSONContentType()
    }

    /// Sets the body to a JSON array of objects, and the Content-Type to `application/json` if there is none yet.
    ///
    /// A `nil` becomes the JSON `null`.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/invalidJSON`` if an object holds a value that
    ///   JSON can't express, such as a date; the request stays as it was.
    public mutating func setJSONBody(
        jsonArray: [[String: Any?]], options: JSONSerialization.WritingOptions = []
    ) throws(RequestBodyError) {
        try setHTTPBody(jsonArray: jsonArray, options: options)
        ensureJSONContentType()
    }

    /// Sets the body to a JSON object, and no header. A `nil` becomes the JSON `null`.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/invalidJSON``.
    public mutating func setHTTPBody(
        jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []
    ) throws(RequestBodyError) {
        httpBody = try jsonData(of: jsonObject, options)
    }

    /// Sets the body to a JSON array of objects, and no header. A `nil` becomes the JSON `null`.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/invalidJSON``.
    public mutating func setHTTPBody(
        jsonArray: [[String: Any?]], options: JSONSerialization.WritingOptions = []
    ) throws(RequestBodyError) {
        httpBody = try jsonData(of: jsonArray, options)
    }

    /// Sets the Content-Type to `application/json`, unless there is one already, whatever the case of its name.
    public mutating func ensureJSONContentType() {
        ensureContentType("application/json")
    }

    private func jsonData(
        of json: Any, _ options: JSONSerialization.WritingOptions
    ) throws(RequestBodyError) -> Data {
        let json = JSONSerialization.withNulls(json)
        // Checked first, because on Apple platforms an invalid object makes the serialisation raise an Objective-C
        // exception.
        guard JSONSerialization.isValidJSONObject(json) else {
            throw RequestBodyError(.invalidJSON, request: nameForErrors)
        }
        do {
            return try JSONSerialization.data(withJSONObject: json, options: options)
        } catch {
            throw RequestBodyError(.invalidJSON, request: nameForErrors, underlyingError: error)
        }
    }
}
