// What Apple's Darwin and Foundation declare and those of Linux lack, or declare differently, as far as the package uses it.
// Both are one module here: a module's own declarations hide those that it re-exports, such as the C library's.
@_exported import Foundation
@_exported import FoundationNetworking

// MARK: The C library

public typealias mode_t = UInt16
public typealias nfds_t = UInt32

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { -1 }

public func poll(_ entries: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32) -> Int32 { -1 }

public struct _opaque_pthread_t {}

public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public func pthread_self() -> pthread_t { .allocate(capacity: 1) }

public func pthread_equal(_ one: pthread_t?, _ other: pthread_t?) -> Int32 { 0 }

@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }

@discardableResult public func pthread_join(
    _ thread: pthread_t, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { 0 }

@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer

@discardableResult public func posix_spawn_file_actions_init(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { 0 }

@discardableResult public func posix_spawn_file_actions_destroy(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { 0 }

@discardableResult public func posix_spawn_file_actions_addopen(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32, _ path: UnsafePointer<CChar>,
    _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }

@discardableResult public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32, _ other: Int32
) -> Int32 { 0 }

@discardableResult public func posix_spawn_file_actions_addclose(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32
) -> Int32 { 0 }

@discardableResult public func posix_spawn_file_actions_addinherit_np(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32
) -> Int32 { 0 }

public let POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 = 0x4000

public typealias posix_spawnattr_t = UnsafeMutableRawPointer

@discardableResult public func posix_spawnattr_init(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>
) -> Int32 { 0 }

@discardableResult public func posix_spawnattr_destroy(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>
) -> Int32 { 0 }

@discardableResult public func posix_spawnattr_setflags(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>, _ flags: Int16
) -> Int32 { 0 }

public func posix_spawnp(
    _ child: UnsafeMutablePointer<pid_t>?, _ program: UnsafePointer<CChar>,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>?, _ attributes: UnsafePointer<posix_spawnattr_t?>?,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 { 0 }

// MARK: The Objective-C runtime

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// MARK: Core Foundation, which is bridged to Foundation

public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFError = any Error
public typealias CFIndex = Int
public typealias OSStatus = Int32

public func CFErrorGetCode(_ error: CFError) -> CFIndex { 0 }

// MARK: URLSession

public class SecTrust {}

public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}

public enum tls_protocol_version_t: UInt16 {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool { true }
    public var allowsConstrainedNetworkAccess: Bool { true }
    public var requiresDNSSECValidation: Bool { false }
}

extension URLSessionConfiguration {
    public var waitsForConnectivity: Bool {
        get { false }
        set {}
    }

    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

// Its methods are optional on Apple platforms, where a misspelt one would never be called: required here.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)
}

public class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
    public var taskInterval: DateInterval { DateInterval() }

    public enum ResourceFetchType: Int {
        case unknown, networkLoad, serverPush, localCache
    }
}

public class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public var fetchStartDate: Date? { nil }
    public var domainLookupStartDate: Date? { nil }
    public var domainLookupEndDate: Date? { nil }
    public var connectStartDate: Date? { nil }
    public var secureConnectionStartDate: Date? { nil }
    public var secureConnectionEndDate: Date? { nil }
    public var connectEndDate: Date? { nil }
    public var requestStartDate: Date? { nil }
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
    public var requestEndDate: Date? { nil }
    public var responseStartDate: Date? { nil }
    public var responseEndDate: Date? { nil }
    public var networkProtocolName: String? { nil }
    public var isReusedConnection: Bool { false }
    public var countOfRequestHeaderBytesSent: Int64 { 0 }
    public var countOfRequestBodyBytesSent: Int64 { 0 }
    public var countOfResponseHeaderBytesReceived: Int64 { 0 }
    public var countOfResponseBodyBytesReceived: Int64 { 0 }
}
