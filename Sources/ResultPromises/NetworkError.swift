/// The errors of the methods of `URLSession`: `fetch`, `fetchData`, `fetchRESTObject`.
public enum NetworkError: Error {
    /// There is no request: the text is no URL, for example.
    case request
    /// The server could not be reached, or the connection broke; the error is the session's.
    case network(error: (any Error)?)
    /// The body can't be decoded to the requested type.
    case deserialisation(error: (any Error)?)
    /// There is no body, an empty one, or no HTTP response at all.
    case missedData
    /// The server answered with a status outside 200...299.
    case http(code: Int)
    /// Another error.
    case other(error: any Error)
}
