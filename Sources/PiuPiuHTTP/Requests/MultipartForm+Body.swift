public import Foundation

extension MultipartForm {
    /// The body, which reads its files while it is sent, piece by piece.
    ///
    /// Its length is exact. It can be sent several times. `uploadFuture(from:withForm:)` makes it, and also sets the
    /// Content-Type.
    ///
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/fileNotFound`` if a file isn't a readable regular
    ///   file; ``MultipartFormError`` for a Content-Type with a control character, or a boundary that occurs in a text
    ///   or in data. Reading the body throws ``MultipartFormError/fileChanged(_:)`` if the length of a file has
    ///   changed, or changes while the file is read.
    public func body() throws -> TransferBody {
        let sections = try sections()
        let files = sections.compactMap(\.file)
        return .chunks(
            TransferChunks(length: try length(of: sections), rereadFiles: files) {
                MultipartChunks(sections: sections)
            })
    }

    /// The number of bytes of the body.
    ///
    /// - Throws: what ``body()`` throws.
    public func contentLength() throws -> Int64 {
        try length(of: sections())
    }

    /// The body in memory, for a small form.
    ///
    /// - Throws: what ``body()`` throws, at once.
    public func data() throws -> Data {
        try sections().reduce(into: Data()) { $0.append(try $1.data()) }
    }

    /// The sections of the body: the parts, with their heads and the delimiters between them.
    private func sections() throws -> [MultipartSection] {
        var sections: [MultipartSection] = []
        var delimiter = "--\(boundary)\r\n"
        for part in parts {
            try check(part)
            sections.append(.memory(Data((delimiter + part.head).utf8)))
            switch part.content {
            case .data(let data): sections.append(.memory(data))
            case .file(let file): sections.append(try MultipartSection(file: file))
            }
            delimiter = "\r\n--\(boundary)\r\n"
        }
        sections.append(.memory(Data(((parts.isEmpty ? "" : "\r\n") + "--\(boundary)--\r\n").utf8)))
        return sections
    }

    /// The sum. Sparse files may be longer together than any body.
    private func length(of sections: [MultipartSection]) throws(TransferError) -> Int64 {
        var sum: Int64 = 0
        for section in sections {
            let (next, isTooLong) = sum.addingReportingOverflow(section.length)
            guard !isTooLong else { throw TransferError(.unreadableBody, url: section.file) }
            sum = next
        }
        return sum
    }

    private func check(_ part: MultipartPart) throws(MultipartFormError) {
        if let contentType = part.contentType, !contentType.isFieldValue {
            throw .invalidContentType(contentType, name: part.name)
        }
        guard isBoundaryChosen, case .data(let data) = part.content else { return }
        guard data.range(of: Data("--\(boundary)".utf8)) == nil else { throw .boundaryInContent(name: part.name) }
    }
}
