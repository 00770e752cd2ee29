import Foundation
import PiuPiu
import Testing

@Suite("Transfer errors", .timeLimit(.minutes(10)))
struct TransferErrorTests {
    @Test("Each kind says what failed, and where", arguments: TransferError.Kind.allCases)
    func texts(kind: TransferError.Kind) throws {
        let error = TransferError(kind, url: try url("https://user:secret@host/path?q=1"))
        #expect(error.localizedDescription.contains("https://host/path?…"))
        #expect(!error.description.contains("secret"))
        #expect(!error.description.contains("user"))
        #expect(kind == .other || error.recoverySuggestion != nil)
        #expect(TransferError(kind).errorDescription?.contains("an unknown address") == true)
    }

    @Test func aLongURLIsShortened() throws {
        let error = TransferError(.malformedDataURL, url: try url("data:," + String(repeating: "x", count: 10_000)))
        #expect(error.localizedDescription.count < 300)
    }

    @Test(
        "A certificate that isn't trusted: Apple platforms have one code for all reasons, and another beneath it",
        arguments: [
            (-9843, .wrongHost), (-9814, .certificateExpired), (-9815, .certificateExpired),
            (-9807, .untrustedAuthority), (nil, .untrustedAuthority),
        ] as [(Int?, TransferError.Kind)], [false, true])
    func certificates(reason: (code: Int?, kind: TransferError.Kind), isBeneath: Bool) {
        var info: [String: Any] = [:]
        info["_kCFStreamErrorCodeKey"] = reason.code
        if isBeneath { info = [NSUnderlyingErrorKey: NSError(domain: "Network", code: -1202, userInfo: info)] }
        let error = TransferError(URLError(.serverCertificateUntrusted, userInfo: info), url: nil)
        #expect(error.kind == reason.kind)
    }

    @Test("An error of the system about a broken connection, which URLSession passes on")
    func systemErrors() {
        for code in [.ECONNABORTED, .ECONNRESET, .ENOTCONN, .EPIPE] as [POSIXError.Code] {
            #expect(TransferError(POSIXError(code), url: nil).kind == .connectionLost)
        }
        #expect(TransferError(POSIXError(.EACCES), url: nil).kind == .other)
    }

    @Test func theOriginalIsKept() throws {
        let error = TransferError(.timedOut, underlyingError: URLError(.timedOut))
        #expect(error.urlError?.code == .timedOut)
        #expect(error.failureReason != nil)
        // Another engine has no URLError, but old code still gets one.
        let other = TransferError(.connectionLost, url: try url("http://a/"), underlyingError: CancellationError())
        #expect(other.urlError?.code == .networkConnectionLost)
        #expect(other.urlError?.failingURL == other.url)
        #expect(TransferError(.sessionInvalidated).urlError == nil)
    }
}
