import Foundation
import TestSupport

/// Random texts, mostly of characters with a meaning in a URL, a form, a header or a shell.
struct RandomText {
    var generator: SeededGenerator

    private static let pieces = [
        "a", "Z", "9", " ", "+", "%", "%41", "%2", "&", "=", "?", "#", "/", "//", ":", ";", "@", "'", "\"", "\\", "<",
        "$(x)",
        "`", "!", "*", "~", "-", "_", ".", "..", "[", "]", "{", "|", "^", ",", "\n", "\r", "\r\n", "\t", "'\u{301}",
        "ü",
        "日本", "👩‍👧", "\u{2028}", "\u{85}", "--", "\u{FEFF}", "é",
    ]

    /// Up to a dozen characters, or more.
    mutating func text(excluding excluded: Set<Unicode.Scalar> = []) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            text += Self.pieces.randomElement(using: &generator) ?? ""
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !excluded.contains($0) }))
    }

    /// Some texts.
    mutating func texts(upTo count: Int = 4) -> [String] {
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in text() }
    }

    mutating func data() -> Data {
        Data(
            (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                [13, 10, 45, .random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
            })
    }
}
