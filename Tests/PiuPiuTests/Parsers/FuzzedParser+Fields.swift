import Foundation
import PiuPiu

/// The fields of a cache.
extension FuzzedParser {
    static let cacheFields = [cacheControl, age, vary, structuredLists, structuredDictionaries, cacheStatus, link]

    private static let cacheControl = FuzzedParser(
        "Cache-Control",
        pieces: ["max-age", "=", "9", "\"", "\\", ",", ", ", " ", "\t", "no-cache", "no-store", "a=\"b\"", "99999999"],
        examples: ["max-age=3600, no-cache=\"a, b\", x=\"max-age=1, \\\"no-store\\\"\", private=\"c\", max-stale"]
    ) { bytes in
        let field = text(bytes), directives = CacheDirectives([field])
        for name in ["max-age", "no-cache", "no-store", "a"] {
            if case .seconds(let seconds) = directives.seconds(name) {
                try check((0...(1 << 31)).contains(seconds), "\(seconds) s")
            }
            guard directives.contains(name) else {
                let isNone = directives.seconds(name) == .absent && directives.argument(name) == nil
                try check(isNone && directives.fieldNames(name) == nil, "an argument of nothing")
                continue
            }
            // By bytes: with a combining mark after it, the last letter of the name is another character.
            let isThere = Data(field.lowercased().utf8).range(of: Data(name.utf8)) != nil
            try check(isThere, "\(name) out of nowhere")
            try check(directives.fieldNames(name)?.isEmpty != true, "limited to nothing")
        }
        try check(CacheDirectives([field, field]).argument("a") == directives.argument("a"), "the first doesn't count")
        try check(CacheDirectives(["", field, ","]) == directives, "empty members make a difference")
    }

    private static let age = FuzzedParser("Age", pieces: ["0", "7", "99999999", " ", ",", ", ", "-", ".", ";", "\""]) {
        bytes in
        guard let age = AgeField.age([text(bytes)]) else { return }
        try check((0...(1 << 31)).contains(age), "\(age) s")
        try check(AgeField.age([text(bytes), "1"]) == age, "the first doesn't count")
    }

    private static let vary = FuzzedParser("Vary", pieces: ["a", "B", "*", ",", ", ", " ", "\t", "Accept", "\""]) {
        bytes in
        let vary = VaryField([text(bytes)])
        try check(vary.names == Array(Set(vary.names)).sorted(), "\(vary.names)")
        let written = vary.names + (vary.isStar ? ["*"] : [])
        try check(VaryField(written) == vary, "\(vary) isn't read again")
    }

    private static let link = FuzzedParser(
        "Link",
        pieces: [
            "<", ">", "a", "/b?c=1,2", "\"", "\\", ",", ";", "=", " ", "\t", "rel", "title*", "UTF-8''%e2%82%ac", "%",
            "'",
        ],
        examples: [
            "<https://a.example/?p=2>; rel=\"next last\"; title*=UTF-8''%e2%82%ac, </b,c>;rel=prev;anchor=\"#x\""
        ]
    ) { bytes in
        let field = text(bytes), base = URL(string: "https://example.com/list?page=1")
        let links = LinkField.links(of: [field], relativeTo: base)
        try check(links.allSatisfy { $0.url.scheme != nil }, "a relative link")
        try check(links.allSatisfy { $0.relations.allSatisfy { !$0.isEmpty } }, "an empty relation")
        let twice = LinkField.links(of: [field, "", field], relativeTo: base)
        try check(twice == links + links, "lines depend on each other")
    }

    private static let structured = [
        "a", "*b", "A", "(", ")", " ", ",", ", ", ";", ";c=", "=", "-", "1", "999999", ".", "\"", "\\", ":", "aGk",
        "?1",
        "?0", "@", "%\"", "%c3%bc", "\t", "/",
    ]

    private static let structuredLists = FuzzedParser(
        "Structured lists", pieces: structured,
        examples: [
            "a;b=1;c, (\"d\" -1.5);e=:aGk=:, ?0, @-7, %\"f%c3%bc\", ();g=*h/i", "999999999999.999, -999999999999999",
        ]
    ) { bytes in
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { text(Array($0)) }
        guard let list = try? StructuredList(parsing: lines) else { return }
        let written = try list.serialized()
        let again = try StructuredList(parsing: [written])
        try check(again == list, "\(written) is another list")
        try check(try again.serialized() == written, "\(written) is written in another way")
        guard case .item(let item) = list.members.first, list.members.count == 1 else { return }
        try check(try StructuredItem(parsing: [written]) == item, "\(written) is another item")
    }

    private static let structuredDictionaries = FuzzedParser(
        "Structured dictionaries", pieces: structured + ["a=", "b;"],
        examples: ["a=1;x, b, c=(d e);f, b=?0;g, *=\"\\\"\"", "a;b=?1, c=?1;d"]
    ) { bytes in
        guard let dictionary = try? StructuredDictionary(parsing: [text(bytes)]) else { return }
        let written = try dictionary.serialized()
        try check(try StructuredDictionary(parsing: [written]) == dictionary, "\(written) is another dictionary")
    }

    private static let cacheStatus = FuzzedParser(
        "Cache-Status",
        pieces: structured + [
            "; hit", "; fwd=", "stale", "; ttl=", "; stored", "; key=", "; detail=", "; fwd-status=",
        ],
        examples: [
            "PiuPiu; hit; ttl=376", "\"A b\"; fwd=uri-miss; fwd-status=304; stored; collapsed; key=\"c\"; detail=d",
        ]
    ) { bytes in
        for status in CacheStatus.parse([text(bytes)]) {
            try check(CacheStatus.parse([status.description]) == [status], "\(status) isn't read again")
        }
        // Any text can be written as some field.
        let any = CacheStatus(cache: text(bytes), forward: .other(text(bytes)), key: text(bytes), detail: text(bytes))
        try check(CacheStatus.parse([any.description]).count == 1, "\(any) isn't read again")
    }
}
