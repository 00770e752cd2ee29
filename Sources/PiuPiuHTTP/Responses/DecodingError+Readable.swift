extension DecodingError {
    /// The keys that lead to the value at fault. A missing key is the last one, although the context ends before it.
    var failingKeys: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// The decoder's reason and its place, in words, without a full stop.
    package var readableReason: String {
        switch self {
        case .keyNotFound(let key, let context):
            ErrorText("no value for key '\(key.stringValue, as: "key")' at \(context.place, as: "place")")
                .localized("DecodingError.keyNotFound")
        case .valueNotFound(let type, let context):
            ErrorText("null instead of \(readableName(of: type), as: "type") at \(context.place, as: "place")")
                .localized("DecodingError.valueNotFound")
        case .typeMismatch(let type, let context):
            ErrorText(
                """
                no \(readableName(of: type), as: "type") at \(context.place, as: "place"): \
                \(context.detail, as: "detail")
                """
            ).localized("DecodingError.typeMismatch")
        case .dataCorrupted(let context):
            ErrorText("wrong data at \(context.place, as: "place"): \(context.detail, as: "detail")")
                .localized("DecodingError.dataCorrupted")
        @unknown default:
            String(describing: self)
        }
    }
}

extension DecodingError.Context {
    fileprivate var place: String { codingPath.placeForErrors }

    fileprivate var detail: String { codingPath.detailForErrors(debugDescription) }
}

extension [any CodingKey] {
    /// The keys as in source code: `posts[3].title`.
    var readablePath: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    /// The keys for the text of an error, or a name for the top level. The server may have chosen them.
    var placeForErrors: String {
        isEmpty
            ? ErrorText("the top level").localized("DecodingError.topLevel")
            : readablePath.cutForErrors.escapingControlCharacters
    }

    /// The coder's own text for the value at the end of the keys, in English. It may have that value in it, and is left
    /// out if a key is the name of a secret.
    func detailForErrors(_ text: String) -> String {
        guard !contains(where: { SecretName.isSecret($0.stringValue) }) else { return HeaderRedaction.replacement }
        // The value may be long, and a secret must not be cut before it is recognized.
        let start = String(text.withoutFullStop.unicodeScalars.prefix(4_096))
        return SecretText.redacted(start).cutForErrors.escapingControlCharacters
    }
}

extension String {
    /// The text without the full stop at its end, for use inside a sentence.
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
