#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest {
    /// The value of the `Idempotency-Key`, by which a server that knows the header carries a request out only once,
    /// however often it comes (draft-ietf-httpapi-idempotency-key-header).
    package var idempotencyKey: String? {
        get { value(forHTTPHeaderField: "Idempotency-Key") }
        set { setValue(newValue, forHTTPHeaderField: "Idempotency-Key") }
    }
}
