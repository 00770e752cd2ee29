extension EncodingError {
    /// What the encoder found, and where, in words and without a full stop. Foundation's text says only that something
    /// is wrong with a format.
    var readableReason: String {
        switch self {
        case .invalidValue(_, let context):
            let detail = context.debugDescription.withoutFullStop
            guard !context.codingPath.isEmpty else { return detail }
            return ErrorText("\(detail, as: "detail") at \(context.codingPath.readablePath, as: "place")")
                .localized("EncodingError.invalidValue")
        @unknown default:
            return String(describing: self)
        }
    }
}
