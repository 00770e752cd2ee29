/// What `URLRequest.requestFor` fails with.
public enum RequestsError: Error {
    /// The path is no URL.
    case URLGeneration
    /// The parameters can't be written as JSON.
    case serialization
    /// Never used; the name is kept for code that switches over the cases.
    case toBeDone
}
