import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The headers, as names and values.
    var headersByName: [String: String] {
        allHeaderFields.reduce(into: [:]) { headers, field in headers["\(field.key)"] = "\(field.value)" }
    }
}
