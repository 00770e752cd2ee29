import Foundation
import LoopbackServer
import PiuPiu

/// Something that can go wrong with a server, and the expected result.
struct Fault: Sendable {
    /// How a transfer must end.
    enum Expectation: Sendable {
        /// A ``TransferError`` of one of these kinds.
        case failure([TransferError.Kind])
        /// This response.
        case response(status: Int, body: Data)
    }

    let name: String
    let expectation: Expectation
    /// How a download must end, if differently.
    var ofDownload: Expectation?
    /// The seconds that the request gives the server.
    var timeout: TimeInterval = 3600
    /// Whether another URL than that of the request fails or answers in the end.
    var redirects = false
    /// Prepares the server and returns what to load.
    let url: @Sendable (LoopbackServer) throws -> URL

    init(
        _ name: String, _ expectation: Expectation, ofDownload: Expectation? = nil, timeout: TimeInterval = 3600,
        redirects: Bool = false, url: @escaping @Sendable (LoopbackServer) throws -> URL
    ) {
        self.name = name
        self.expectation = expectation
        self.ofDownload = ofDownload
        self.timeout = timeout
        self.redirects = redirects
        self.url = url
    }

    /// A fault that is a reply.
    init(
        _ name: String, _ expectation: Expectation, ofDownload: Expectation? = nil, timeout: TimeInterval = 3600,
        reply: LoopbackReply
    ) {
        self.init(name, expectation, ofDownload: ofDownload, timeout: timeout) { server in
            server.handle("*", "/fault", reply: reply)
            return server.url("/fault")
        }
    }
}
