/// The errors of `URLRequest.requestFor`.
public enum RequestsError: Error {
    /// The path is no URL.
    case URLGeneration
    /// The parameters can't be written as JSON.
    case serialization
    /// Never used; kept for code that switches over the cases.
    case toBeDone
}
