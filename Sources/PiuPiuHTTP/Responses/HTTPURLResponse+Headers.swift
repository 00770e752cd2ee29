#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension HTTPURLResponse {
    /// The headers, as names and values.
    package var headersByName: [String: String] {
        allHeaderFields.reduce(into: [:]) { headers, field in headers["\(field.key)"] = "\(field.value)" }
    }
}
