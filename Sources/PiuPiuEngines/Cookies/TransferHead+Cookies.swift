import Foundation

extension TransferHead {
    /// The separate lines of the header field `Set-Cookie`, also of a response of Foundation, which has joined them.
    var cookieLines: [String] {
        let values = values(for: "Set-Cookie")
        guard !isLineByLine else { return values }
        return values.flatMap { SetCookie.lines(in: $0) }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The names and values of the header fields, with a line for each cookie.
    var fieldsWithCookieLines: [(name: String, value: String)] {
        guard !isLineByLine else { return fields }
        let others = fields.filter { $0.name.lowercased() != "set-cookie" }
        return others + cookieLines.map { (name: "Set-Cookie", value: $0) }
    }
}
