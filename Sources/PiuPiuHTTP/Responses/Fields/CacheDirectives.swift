/// The directives of a `Cache-Control` field, of a request or a response (RFC 9111, section 5.2).
///
/// ```swift
/// let directives = CacheDirectives(["no-cache=\"set-cookie\", max-age=60"])
/// directives.seconds("max-age") // .seconds(60)
/// directives.fieldNames("no-cache") // ["set-cookie"]
/// ```
///
/// All lines are one list. Names are case-insensitive, a comma in a quoted string doesn't separate, and of duplicates
/// the first counts. A directive counts whatever follows its name: `no-store foo` is `no-store`, and `max-age = 1` is
/// an invalid `max-age`. So a malformed directive makes a response stale rather than fresh.
package struct CacheDirectives: Sendable, Equatable {
    /// A number of seconds.
    package enum Seconds: Sendable, Equatable {
        /// There is no such directive.
        case absent
        /// There is one without a valid number: only digits, in quotes or not.
        case invalid
        /// The number, at most 2³¹ (section 1.2.2).
        case seconds(Int)
    }

    private struct Argument: Equatable {
        let text: String
        /// No white space around the `=`, and either a whole quoted string or a token.
        let isWellFormed: Bool
    }

    /// The arguments of each directive, in order; `nil` for one without.
    private var arguments: [String: [Argument?]] = [:]

    /// Parses the lines of the field, in linear time.
    package init(_ fieldLines: [String]) {
        for member in FieldList.membersWithQuotes(of: fieldLines) {
            let name = member.prefix(while: \.isHTTPTokenCharacter)
            guard !name.isEmpty else { continue }
            arguments[name.loweredText, default: []].append(Self.argument(member[name.endIndex...]))
        }
    }

    private static func argument(_ rest: ArraySlice<UInt8>) -> Argument? {
        guard let first = rest.first else { return nil }
        guard first == UInt8(ascii: "=") else {
            return Argument(text: String(decoding: rest, as: UTF8.self), isWellFormed: false)
        }
        let value = rest.dropFirst(), unquoted = value.unquoted
        return Argument(
            text: String(decoding: unquoted?[...] ?? value, as: UTF8.self),
            isWellFormed: unquoted != nil || value.isHTTPToken)
    }

    /// How many directives there are.
    package var count: Int { arguments.values.reduce(0) { $0 + $1.count } }

    /// Whether there is a directive of this name, case-insensitive, with or without an argument.
    package func contains(_ name: String) -> Bool { arguments[name.lowercased()] != nil }

    /// The number of seconds in the directive.
    package func seconds(_ name: String) -> Seconds {
        guard let first = arguments[name.lowercased()]?.first else { return .absent }
        // A malformed argument isn't only digits either.
        guard let first, let seconds = FieldList.seconds(first.text.utf8) else { return .invalid }
        return .seconds(seconds)
    }

    /// The argument without its quotes, valid or not; `nil` if there is none, or no such directive.
    package func argument(_ name: String) -> String? {
        arguments[name.lowercased()]?.first.flatMap(\.self)?.text
    }

    /// The fields to which `no-cache` or `private` is limited (sections 5.2.2.4 and 5.2.2.7), in lower case.
    ///
    /// `nil` if there is no such directive, or if it isn't limited: it has no argument, or one that isn't a list of
    /// names. Of several directives, the strictest counts: if one isn't limited, none is; otherwise all their names
    /// count.
    package func fieldNames(_ name: String) -> [String]? {
        guard let all = arguments[name.lowercased()] else { return nil }
        var names: [String] = []
        for argument in all {
            guard let argument, argument.isWellFormed else { return nil }
            let members = FieldList.members(of: [argument.text])
            guard !members.isEmpty, members.allSatisfy(\.isHTTPToken) else { return nil }
            names += members.map(\.loweredText)
        }
        return names
    }
}
