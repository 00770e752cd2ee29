import Foundation

/// A table in Markdown.
struct Table: Sendable {
    let title: String
    let columns: [String]
    var note: String?
    private var rows: [[String]] = []

    init(title: String, columns: [String], note: String? = nil) {
        self.title = title
        self.columns = columns
        self.note = note
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    var markdown: String {
        let alignments = columns.enumerated().map { index, column in
            index == 0 || column == "target" ? "---" : "---:"
        }
        let lines = ([columns, alignments] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        return (["### \(title)", ""] + lines + (note.map { ["", $0] } ?? [])).joined(separator: "\n")
    }

    static func nanoseconds(_ value: Double) -> String {
        value < 100 ? String(format: "%.1f ns", value) : grouped(value) + " ns"
    }

    static func ratio(_ value: Double) -> String {
        String(format: "%.2f", value)
    }

    /// A whole number with a comma every three digits.
    static func grouped(_ value: Double) -> String {
        Int(value.rounded()).formatted(.number.locale(Locale(identifier: "en_US")))
    }
}
