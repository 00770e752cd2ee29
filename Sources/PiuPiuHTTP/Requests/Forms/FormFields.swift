/// The fields of encoded values.
struct FormFields {
    private(set) var fields: [URLEncodedForm.Field] = []
    private let form: URLEncodedFormEncoder
    /// The whole value, for errors.
    private let value: any Encodable

    init(_ form: URLEncodedFormEncoder, of value: any Encodable) {
        self.form = form
        self.value = value
    }

    /// Adds the fields of the whole value, which needs names.
    mutating func addAll(of node: FormNode) throws {
        switch node.content {
        case .nothing: break
        case .members(let members): for (name, node) in members.all { try add(node, named: name) }
        case .text: throw fault("A single value has no names for a form", at: node)
        case .elements: throw fault("An array has no names for a form", at: node)
        case .fault(let text): throw fault(text, at: node)
        }
    }

    private mutating func add(_ node: FormNode, named name: String) throws {
        switch node.content {
        case .nothing: break
        case .text(let text): fields.append(URLEncodedForm.Field(name: name, value: text))
        case .members(let members):
            for (inner, node) in members.all { try add(node, named: form.nesting.name(inner, in: name)) }
        case .elements(let elements): try add(elements.all, named: name)
        case .fault(let text): throw fault(text, at: node)
        }
    }

    private mutating func add(_ elements: [FormNode], named name: String) throws {
        switch form.arrays {
        case .repeated: for node in elements { try add(node, named: name) }
        case .brackets: for node in elements { try add(node, named: name + "[]") }
        case .indices:
            var index = 0
            for node in elements {
                let count = fields.count
                try add(node, named: "\(name)[\(index)]")
                // Some servers stop reading at a gap.
                if fields.count > count { index += 1 }
            }
        case .joined(let separator):
            let texts = try elements.compactMap(singleText)
            if !texts.isEmpty {
                fields.append(URLEncodedForm.Field(name: name, value: texts.joined(separator: separator)))
            }
        }
    }

    /// The text of a single value; `nil` if there is nothing to write.
    private func singleText(of node: FormNode) throws -> String? {
        if case .text(let text) = node.content { return text }
        var others = FormFields(form, of: value)
        try others.add(node, named: "")
        guard others.fields.isEmpty else { throw fault("Only single values can be joined in one field", at: node) }
        return nil
    }

    private func fault(_ text: String, at node: FormNode) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: node.codingPath, debugDescription: text))
    }
}
