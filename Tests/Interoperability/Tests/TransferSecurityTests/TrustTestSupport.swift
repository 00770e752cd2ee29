import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension LocalAuthority {
    /// A certificate for servers on this machine, by name and by address.
    func issueHere(validFor validity: Validity = .current) throws -> Identity {
        try issue(.host("localhost"), .address("127.0.0.1"), validFor: validity)
    }
}

/// The certificates of some authorities.
func certificates(_ authorities: [LocalAuthority]) throws -> TransferSecurity.Certificates {
    try TransferSecurity.Certificates(pem: authorities.map { $0.root.certificatePEM }.joined(separator: "\n"))
}

/// Trusts these authorities alone.
func only(_ authorities: LocalAuthority...) throws -> TransferSecurity.Authorities {
    .only(try certificates(authorities))
}

/// Sends a request, and expects this failure, or an answer if it is `nil`.
func expect(
    _ kind: TransferError.Kind?, _ server: TLSServer, _ security: @autoclosure () throws -> TransferSecurity,
    host: String = "127.0.0.1", path: String = "/connection", sourceLocation: SourceLocation = #_sourceLocation
) async {
    do {
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, security: try security())
        let failure = await dispatcher.failure(try server.url(path, host: host))
        #expect(failure?.kind == kind, "\(String(describing: failure))", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

extension URLRequestDispatcher {
    /// The text that the server answers with.
    func text(_ url: URL) async throws -> String {
        String(decoding: try await dataFuture(from: URLRequest(url: url)).value.data ?? Data(), as: UTF8.self)
    }

    /// The error that a request ends with; `nil` if it is answered.
    func failure(_ url: URL) async -> TransferError? {
        do {
            _ = try await text(url)
            return nil
        } catch let error as TransferError {
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
