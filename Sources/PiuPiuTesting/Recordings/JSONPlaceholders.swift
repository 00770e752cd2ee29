import Foundation
import PiuPiu

/// The values that a recording has left out of JSON, at their places in it.
enum JSONPlaceholders: Sendable, Hashable {
    /// The whole value.
    case value
    /// A part of this text.
    case text(String)
    /// Those of members of an object.
    case members([String: JSONPlaceholders])
    /// Those of elements of an array.
    case elements([Int: JSONPlaceholders], count: Int)

    /// Finds them; `nil` if nothing was left out. The JSON comes from `JSONSerialization`, which limits its depth.
    init?(in recorded: Any) {
        if let text = recorded as? String {
            guard text.contains(HeaderRedaction.replacement) else { return nil }
            self = text == HeaderRedaction.replacement ? .value : .text(text)
        } else if let object = recorded as? [String: Any] {
            let members = object.compactMapValues { JSONPlaceholders(in: $0) }
            guard !members.isEmpty else { return nil }
            self = .members(members)
        } else if let array = recorded as? [Any] {
            var elements: [Int: JSONPlaceholders] = [:]
            for (index, value) in array.enumerated() { elements[index] = JSONPlaceholders(in: value) }
            guard !elements.isEmpty else { return nil }
            self = .elements(elements, count: array.count)
        } else {
            return nil
        }
    }

    /// The JSON as it would have been recorded.
    func masked(_ json: Any) -> Any {
        switch (self, json) {
        case (.value, _): return HeaderRedaction.replacement
        case (.text(let recorded), let text as String):
            return RecordedPlaceholders.matches(text, recorded) ? recorded : text
        case (.members(let members), var object as [String: Any]):
            for (name, placeholders) in members {
                if let value = object[name] { object[name] = placeholders.masked(value) }
            }
            return object
        case (.elements(let elements, let count), var array as [Any]) where array.count == count:
            for (index, placeholders) in elements { array[index] = placeholders.masked(array[index]) }
            return array
        default: return json
        }
    }
}
