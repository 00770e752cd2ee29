public import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Why a loopback server can't be started, or a wait for something on it can't succeed.
public enum LoopbackServerError: LocalizedError, Equatable, Sendable {
    /// A system call failed with this error number.
    case system(call: String, code: Int32)
    /// The server was stopped before the awaited event.
    case stopped

    /// A sentence for people.
    public var errorDescription: String? {
        switch self {
        case .system(let call, let code): "The loopback server failed in \(call): \(String(cString: strerror(code)))."
        case .stopped: "The loopback server was stopped before the awaited event."
        }
    }
}
