extension HTTPBodyHolding {
    /// Sets the body to a URL-encoded form, and the Content-Type to `application/x-www-form-urlencoded` if there is
    /// none yet.
    ///
    /// ```swift
    /// request.setFormBody(["name": "Ada", "city": "London"])
    /// ```
    public mutating func setFormBody(_ form: URLEncodedForm) {
        setHTTPBody(string: form.text)
        ensureContentType(URLEncodedForm.contentType)
    }

    /// Sets the body to a URL-encoded form of a value, and the Content-Type to `application/x-www-form-urlencoded` if
    /// there is none yet.
    ///
    /// ```swift
    /// try request.setFormBody(encodable: search, encoder: URLEncodedFormEncoder(arrays: .brackets))
    /// ```
    ///
    /// - Parameters:
    ///   - encodable: the value: a struct, a class or a dictionary.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` as ``URLEncodedFormEncoder/encode(_:)`` does; the request stays as it was.
    public mutating func setFormBody<Value: Encodable>(
        encodable: Value, encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws(RequestBodyError) {
        setFormBody(try encoder.encode(encodable, for: nameForErrors))
    }

    /// Sets the body to a multipart form, and replaces the Content-Type with the form's, which has the boundary.
    ///
    /// Everything is read into memory, including files. `uploadFuture(from:withForm:)` sends a large form in constant
    /// memory.
    ///
    /// - Throws: ``MultipartFormError`` and ``TransferError`` as ``MultipartForm/data()`` does; the request stays as it
    ///   was.
    public mutating func setFormBody(_ form: MultipartForm) throws {
        httpBody = try form.data()
        setValue(form.contentType, forHTTPHeaderField: Self.contentTypeHeader)
    }
}
