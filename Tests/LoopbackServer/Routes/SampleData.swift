import Foundation

/// The made-up records of the routes like those of jsonplaceholder.typicode.com, the same in each run.
enum SampleData {
    struct Post: Encodable {
        let userId: Int
        let id: Int
        let title: String
        let body: String
    }

    struct User: Encodable {
        let id: Int
        let name: String
        let username: String
        let email: String
    }

    struct Comment: Encodable {
        let postId: Int
        let id: Int
        let name: String
        let email: String
        let body: String
    }

    static let posts = (1...100).map { id in
        Post(userId: (id - 1) / 10 + 1, id: id, title: sentence(id, words: 5), body: sentence(id + 7, words: 20))
    }

    static let users = zip(1..., people).map { id, person in
        User(id: id, name: "\(person.0) \(person.1)", username: person.0, email: address(person.0, person.1))
    }

    static let comments = posts.flatMap { post in
        (1...5).map { index in
            let id = (post.id - 1) * 5 + index
            let person = people[id % people.count]
            return Comment(
                postId: post.id, id: id, name: sentence(id + 3, words: 4), email: address(person.0, person.1),
                body: sentence(id + 11, words: 15))
        }
    }

    private static let people = [
        ("Ada", "Lovelace"), ("Grace", "Hopper"), ("Alan", "Turing"), ("Barbara", "Liskov"), ("Edsger", "Dijkstra"),
        ("Radia", "Perlman"), ("Donald", "Knuth"), ("Katherine", "Johnson"), ("Tony", "Hoare"), ("Frances", "Allen"),
    ]

    private static let words = [
        "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do", "eiusmod",
        "tempor", "incididunt", "ut", "labore", "et", "dolore", "magna", "aliqua",
    ]

    private static func sentence(_ seed: Int, words count: Int) -> String {
        (0..<count).map { words[(seed * 7 + $0 * 5 + seed * $0) % words.count] }.joined(separator: " ")
    }

    private static func address(_ first: String, _ last: String) -> String {
        "\(first).\(last)@example.com".lowercased()
    }
}
