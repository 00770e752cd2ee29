import Foundation

/// The options on the command line.
enum Options: Equatable {
    case tour(baseURL: URL?)
    case help

    static let usage = """
        USAGE: swift run PiuPiuExample [--base-url URL]

        A tour of PiuPiu: requests over a real socket, through callback chains and through async/await. Without
        options it starts a small server of its own on 127.0.0.1 and needs no network.

        OPTIONS:
          --base-url URL   Tour a server like https://jsonplaceholder.typicode.com instead: it must answer
                           GET /posts/1, /posts/0 (404), /posts and /users/1 … /users/3.
          --help, -h       Show this text.

        EXIT CODES: 0 all went as expected · 1 something did not, or the server could not be reached · 2 wrong usage
        """

    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var baseURL: URL?
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--base-url":
                guard let text = rest.popFirst() else { throw .missingValue(argument) }
                baseURL = try Self.baseURL(text)
            case _ where argument.hasPrefix("--base-url="):
                baseURL = try Self.baseURL(String(argument.dropFirst("--base-url=".count)))
            default:
                throw .unknownArgument(argument)
            }
        }
        self = .tour(baseURL: baseURL)
    }

    private static func baseURL(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host(percentEncoded: false)?.isEmpty == false, url.query == nil, url.fragment == nil
        else { throw .invalidURL(text) }
        return url
    }
}

/// A command line that is wrong.
enum UsageError: LocalizedError, Equatable {
    case unknownArgument(String)
    case missingValue(String)
    case invalidURL(String)

    var errorDescription: String? {
        switch self {
        case .unknownArgument(let argument): "There is no argument '\(argument)'."
        case .missingValue(let option): "\(option) needs a value."
        case .invalidURL(let text):
            "'\(text)' is not a base URL. It needs the form http://host:port/path, without ? and #."
        }
    }
}
