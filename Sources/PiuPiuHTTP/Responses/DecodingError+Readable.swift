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

    /// The decoder's own text, in English; below the name of a secret only if that text can't contain a secret.
    fileprivate var detail: String {
        debugDescription.namesOnlyTypes || isAboutErrorCode
            ? debugDescription.detailForErrors : codingPath.detailForErrors(debugDescription)
    }

    /// Whether the value is a `code` that may be shown: see ``HeaderRedaction/secrets``.
    private var isAboutErrorCode: Bool {
        guard let key = codingPath.last, SecretName.key(key.stringValue) == "code",
            !codingPath.dropLast().contains(where: { SecretName.isSecret($0.stringValue) })
        else { return false }
        return debugDescription.quotesErrorCode
    }
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
        contains { SecretName.isSecret($0.stringValue) } ? HeaderRedaction.replacement : text.detailForErrors
    }
}

extension String {
    /// The text of a coder, for the text of an error.
    fileprivate var detailForErrors: String {
        // The value may be long, and a secret must not be cut before it is recognized.
        let start = String(withoutFullStop.unicodeScalars.prefix(4_096))
        return SecretText.redacted(start).cutForErrors.escapingControlCharacters
    }

    /// Whether it is Foundation's text for a value of another type, which doesn't quote the value. Other decoders, and
    /// models that read their values themselves, may write something else.
    fileprivate var namesOnlyTypes: Bool {
        let text = #/Expected to decode .+ but found (?:a string|an array|a dictionary|number|bool|null) instead\.?/#
        return wholeMatch(of: text) != nil
    }

    /// Whether what it quotes is a number, or words of ASCII letters. A text of digits may be a one-time password.
    fileprivate var quotesErrorCode: Bool {
        let textOfNumber = #/Cannot initialize \S+ from invalid U?Int(?:8|16|32|64)? value -?[0-9]+/#
        return wholeMatch(of: textOfNumber) != nil || wholeMatch(of: #/[A-Za-z_\-. "]+/#) != nil
    }

    /// The text without the full stop at its end, for use inside a sentence.
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
