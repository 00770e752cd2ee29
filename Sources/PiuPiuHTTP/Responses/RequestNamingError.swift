/// An error whose text names the request.
package protocol RequestNamingError: Error {
    /// Whether it knows the request.
    var namesRequest: Bool { get }
}

extension RequestNamingError {
    /// `true`.
    package var namesRequest: Bool { true }
}
