/// What the helpers of `URLSession` fail with: `fetch`, `fetchData`, `fetchRESTObject`.
public enum NetworkError: Error {
    /// There is no request: the text is no URL, for example.
    case request
    /// The server could not be reached, or broke off; the error is that of the session.
    case network(error: (any Error)?)
    /// The body is not what was asked for.
    case deserialisation(error: (any Error)?)
    /// There is no body, an empty one, or no HTTP response at all.
    case missedData
    /// The server answered with a status outside of 200...299.
    case http(code: Int)
    /// Something else.
    case other(error: any Error)
}
