/// The directives of a `Cache-Control` field, of a request or a response (RFC 9111, section 5.2).
///
/// ```swift
/// let directives = CacheDirectives(["no-cache=\"set-cookie\", max-age=60"])
/// directives.seconds("max-age") // .seconds(60)
/// directives.fieldNames("no-cache") // ["set-cookie"]
/// ```
///
/// All lines are one list. Names count in any case, a comma in a quoted string doesn't separate, and of duplicates the first
/// counts. A directive is there whatever comes after its name: `no-store foo` is `no-store`, and `max-age = 1` is a `max-age` that
/// isn't valid, so that what is malformed makes a response stale sooner than fresh.
package struct CacheDirectives: Sendable, Equatable {
    /// A number of seconds.
    package enum Seconds: Sendable, Equatable {
        /// There is no such directive.
        case absent
        /// There is one without a number: nothing but digits, in quotes or not, is one.
        case invalid
        /// So many; 2³¹ for all that is more (section 1.2.2).
        case seconds(Int)
    }

    private struct Argument: Equatable {
        let text: String
        /// Without white space around the `=`, and in quotes entirely or not at all.
        let isWellFormed: Bool
    }

    /// The arguments of each directive in their order, `nil` for one without.
    private var arguments: [String: [Argument?]] = [:]

    /// Parses the lines of the field; in time that is linear in them.
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

    /// Whether there is none.
    package var isEmpty: Bool { arguments.isEmpty }

    /// Whether there is a directive of the name, in any case, with an argument or without.
    package func contains(_ name: String) -> Bool { arguments[name.lowercased()] != nil }

    /// The seconds that the directive gives.
    package func seconds(_ name: String) -> Seconds {
        guard let first = arguments[name.lowercased()]?.first else { return .absent }
        // What isn't well-formed isn't digits either.
        guard let first, let seconds = FieldList.seconds(first.text.utf8) else { return .invalid }
        return .seconds(seconds)
    }

    /// The argument without its quotes, valid or not; `nil` if there is none, or no such directive.
    package func argument(_ name: String) -> String? {
        arguments[name.lowercased()]?.first.flatMap(\.self)?.text
    }

    /// The fields to which `no-cache` or `private` is limited (sections 5.2.2.4 and 5.2.2.7), in lower case.
    ///
    /// `nil` if the directive isn't there, or isn't limited: it has no argument, or one that isn't a list of names. Of several
    /// directives the strictest counts: one without an argument limits none, otherwise the names of all do.
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
