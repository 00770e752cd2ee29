extension String {
    /// The text in snake case, by the rules of a `JSONEncoder`: `myURLProperty` becomes `my_url_property`.
    var snakeCased: String {
        guard !isEmpty else { return self }
        var words: [Substring] = []
        var start = startIndex, rest = self[index(after: start)...]
        while let upper = rest.firstIndex(where: \.isUppercase) {
            words.append(self[start..<upper])
            start = upper
            guard let lower = self[upper...].firstIndex(where: \.isLowercase) else { break }
            // Several capitals are a word, and the last of them begins the next one.
            let last = index(before: lower)
            if last > upper {
                words.append(self[upper..<last])
                start = last
            }
            rest = self[index(after: lower)...]
        }
        words.append(self[start...])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}
