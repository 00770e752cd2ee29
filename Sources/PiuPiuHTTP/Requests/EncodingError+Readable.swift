extension EncodingError {
    /// The encoder's reason and its place, in words, without a full stop. Foundation's text says only that a format is
    /// wrong.
    var readableReason: String {
        switch self {
        case .invalidValue(_, let context):
            let detail = context.codingPath.detailForErrors(context.debugDescription)
            guard !context.codingPath.isEmpty else { return detail }
            return ErrorText("\(detail, as: "detail") at \(context.codingPath.readablePath, as: "place")")
                .localized("EncodingError.invalidValue")
        @unknown default:
            return String(describing: self)
        }
    }
}
