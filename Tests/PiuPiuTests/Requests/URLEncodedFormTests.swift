import Foundation
import PiuPiu
import Testing

@Suite("URL-encoded forms", .timeLimit(.minutes(10)))
struct URLEncodedFormTests {
    @Test("Fields are written by the rules of the WHATWG")
    func text() {
        let form: URLEncodedForm = ["a": "1", "b c": "é+~*-._", "": "", "a": "x=&;\r\n\0%"]
        #expect(form.text == "a=1&b+c=%C3%A9%2B%7E*-._&=&a=x%3D%26%3B%0D%0A%00%25")
        #expect(form.values(forName: "a") == ["1", "x=&;\r\n\0%"])
        #expect(URLEncodedForm(parsing: form.text) == form)
    }

    private static let texts: [(String, URLEncodedForm)] = [
        ("", URLEncodedForm()), ("&&", [:]), ("a", ["a": ""]), ("=b", ["": "b"]), ("a=b=c", ["a": "b=c"]),
        ("a+b=%zz%4", ["a b": "%zz%4"]), ("%41=%2B", ["A": "+"]), ("a=%FF", ["a": "\u{FFFD}"]),
        ("é=ü", ["é": "ü"]), ("%", ["%": ""]), ("a=1&a=2", ["a": "1", "a": "2"]),
        ("a=%EF%BB%BF", ["a": "\u{FEFF}"]),
    ]

    @Test("Any text is read", arguments: texts)
    func parsing(text: String, expected: URLEncodedForm) {
        #expect(URLEncodedForm(parsing: text) == expected)
    }

    @Test("A form is made of fields, one by one, and of query items")
    func making() {
        var form = URLEncodedForm([URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: "c")])
        form.append("d", forName: "e")
        #expect(
            form.fields == [.init(name: "a", value: ""), .init(name: "b", value: "c"), .init(name: "e", value: "d")])
        #expect(URLEncodedForm(form.fields).text == "a=&b=c&e=d")
        let values = ["b": "1", "a": "2", "c": "3"]
        #expect(URLEncodedForm(values).text == "a=2&b=1&c=3")
        #expect(URLEncodedForm([:]).fields.isEmpty)
        #expect(URLEncodedForm(form) == form)
        #expect(URLEncodedForm(["scope": "b", "scope": "a", "a": "1"]).text == "scope=b&scope=a&a=1")
        #expect(URLEncodedForm.contentType == "application/x-www-form-urlencoded")
    }
}
