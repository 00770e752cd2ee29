extension DecodingError {
    /// The keys that lead to the value at fault. A missing key is the last of them; the context ends before it.
    var failingKeys: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// What the decoder found, and where, in words and without a full stop.
    var readableReason: String {
        switch self {
        case .keyNotFound(let key, let context):
            "no value for key '\(key.stringValue)' at \(context.place)"
        case .valueNotFound(let type, let context):
            "null instead of \(readableName(of: type)) at \(context.place)"
        case .typeMismatch(let type, let context):
            "no \(readableName(of: type)) at \(context.place): \(context.debugDescription.withoutFullStop)"
        case .dataCorrupted(let context):
            "wrong data at \(context.place): \(context.debugDescription.withoutFullStop)"
        @unknown default:
            String(describing: self)
        }
    }
}

extension DecodingError.Context {
    fileprivate var place: String { codingPath.isEmpty ? "the top level" : codingPath.readablePath }
}

extension [any CodingKey] {
    /// The keys as they would be written in source: `posts[3].title`.
    var readablePath: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

extension String {
    /// The text without the full stop at its end, to go on in a sentence.
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
