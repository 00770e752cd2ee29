// What the package uses of Apple's Security framework.
@_exported import Darwin

public class SecCertificate {}

public let errSecSuccess: OSStatus = 0
public let errSecHostNameMismatch: OSStatus = -67602
public let errSecCertificateExpired: OSStatus = -67818
public let errSecCertificateNotValidYet: OSStatus = -67819

public func SecCertificateCreateWithData(_ allocator: Any?, _ data: CFData) -> SecCertificate? { nil }

public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }

public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ certificates: CFArray?) -> OSStatus { 0 }

public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus { 0 }

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
