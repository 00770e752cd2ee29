// Sound: constant texts that are URLs, unwrapped as the README does it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of the README of PiuPiu 1.11, as the code of a view controller; they compile in Swift 6 mode too.
@MainActor
class ControllerOf111 {
    struct Note: Codable, Sendable {
        let id: Int
        let userId: Int
        let title: String
    }

    struct Writer: Codable, Sendable {
        let id: Int
        let name: String
    }

    typealias EnrichedNote = (note: Note, markdown: String?)

    private let dispatcher: any DataDispatcher
    private(set) var lines: [String] = []
    private(set) var note: Note?
    private let request = URLRequest(url: URL(string: "https://example.com/posts/1")!, method: .get)
    private let listRequest = URLRequest(url: URL(string: "https://example.com/posts")!, method: .get)

    init(dispatcher: any DataDispatcher) {
        self.dispatcher = dispatcher
    }

    func makeRequest(done: @escaping @MainActor () -> Void) {
        dispatcher.dataFuture(from: request)
            .success { response in
                let httpResponse = try response.makeHTTPResponse()
                if let error = httpResponse.httpError {
                    throw error
                } else {
                    self.note = try response.decode(Note.self)
                }
            }
            .error { error in
                self.lines.append("error \(error)")
            }
            .completion {
                self.lines.append("completion")
                done()
            }
            .send()
    }

    func load() async {
        do {
            let note = try await dispatcher.dataFuture(from: request)
                .decoded(Note.self)
                .fetchResult()
            let url = URL(string: "https://example.com/users/\(note.data.userId)")!
            let writer = try await dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
                .decoded(Writer.self)
                .fetchResult()
            lines.append("\(note.data.title) by \(writer.data.name)")
        } catch {
            lines.append("error \(error)")
        }
    }

    func separate(done: @escaping @MainActor () -> Void) {
        dispatcher
            .dataFuture {
                let url = URL(string: "https://example.com/posts/2")!
                return URLRequest(url: url, method: .get)
            }
            .then { response -> Note in
                let httpResponse = try response.makeHTTPResponse()
                if let error = httpResponse.httpError {
                    throw error
                }
                return try response.decode(Note.self)
            }
            .updated { task in
                self.lines.append("updated \(task.percentRecieved ?? 0)")
            }
            .success { note in
                self.lines.append("note \(note.id)")
            }
            .error { error in
                self.lines.append("error \(error)")
            }
            .completion {
                done()
            }
            .send()
    }

    func getNote(id: Int) -> ResponseFuture<HTTPResponse<Note>> {
        let url = URL(string: "https://example.com/posts/\(id)")!
        return getHTTPResponse(from: URLRequest(url: url, method: .get))
            .then(on: DispatchQueue.global(qos: .background)) { httpResponse -> HTTPResponse<Note> in
                return try httpResponse.decoded(Note.self)
            }
    }

    private func getHTTPResponse(from request: URLRequest) -> ResponseFuture<HTTPResponse<Data?>> {
        return dispatcher.dataFuture(from: request)
            .then { response -> HTTPResponse<Data?> in
                let httpResponse = try response.makeHTTPResponse()
                if let error = httpResponse.httpError {
                    throw error
                }
                return httpResponse
            }
    }

    func getWriter(id: Int) -> ResponseFuture<HTTPResponse<Writer>> {
        let url = URL(string: "https://example.com/users/\(id)")!
        return dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
            .validHTTPResponse
            .decoded(Writer.self)
    }

    func onMain() -> ResponseFuture<[Note]> {
        return dispatcher.dataFuture(from: listRequest)
            .then([Note].self, on: .main) { response in
                self.lines.append("then on main")
                return try response.decode([Note].self)
            }
    }

    func replaced() -> ResponseFuture<EnrichedNote> {
        return dispatcher.dataFuture(from: request)
            .replace(EnrichedNote.self) { [weak self] response in
                let note = try response.decode(Note.self)
                return self?.enrich(note: note)
            }
    }

    private func enrich(note: Note) -> ResponseFuture<EnrichedNote> {
        return ResponseFuture<EnrichedNote>() { future in
            DispatchQueue.global(qos: .background).async {
                future.succeed(with: (note, "*\(note.title)*"))
            }
        }
    }

    func decoded() -> ResponseFuture<HTTPResponse<[Note]>> {
        return dispatcher.dataFuture(from: listRequest)
            .makeHTTPResponse()
            .decoded([Note].self)
            .success { (notes: HTTPResponse<[Note]>) in
                self.lines.append("\(notes.data.count) notes")
            }
    }

    func safe() -> ResponseFuture<Result<Response<[Note]>, Error>> {
        return dispatcher.dataFuture(from: request)
            .decoded([Note].self)
            .safeResult()
            .success { (notes: Result<Response<[Note]>, Error>) in
                if case .failure = notes { self.lines.append("safe") }
            }
    }

    func parallel() -> ResponseFuture<(HTTPResponse<[Note]>, HTTPResponse<[Writer]>)> {
        return dispatcher.dataFuture(from: listRequest)
            .makeHTTPResponse()
            .decoded([Note].self)
            .parallelJoin(HTTPResponse<[Writer]>.self) {
                let url = URL(string: "https://example.com/users")!
                return self.dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
                    .makeHTTPResponse()
                    .decoded([Writer].self)
            }
    }

    func series() -> ResponseFuture<(Response<Note>, Response<Writer>)> {
        return dispatcher.dataFuture(from: request)
            .decoded(Note.self)
            .seriesJoin(Response<Writer>.self) { [weak self] result in
                guard let self = self else {
                    return nil
                }
                let url = URL(string: "https://example.com/users/\(result.data.userId)")!
                return self.dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
                    .decoded(Writer.self)
            }
    }

    func safeParallel() -> ResponseFuture<(Response<[Note]>, Result<Response<[Writer]>, Error>)> {
        return dispatcher.dataFuture(from: listRequest)
            .decoded([Note].self)
            .safeParallelJoin(Response<[Writer]>.self) {
                let url = URL(string: "https://example.com/nobody")!
                return self.dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
                    .decoded([Writer].self)
            }
    }

    func result(done: @escaping @MainActor () -> Void) {
        dispatcher.dataFuture(from: request)
            .result { result in
                if case .success = result { self.lines.append("result") }
            }
            .completion { done() }
            .send()
    }

    func encode(_ note: Note) throws -> URLRequest {
        var request = URLRequest(url: URL(string: "https://example.com/posts")!, method: .post)
        request.setJSONBody(string: "{}", encoding: .utf8)
        let jsonObject: [String: Any?] = ["id": "123", "name": "Kevin Malone"]
        try request.setJSONBody(jsonObject: jsonObject)
        try request.setJSONBody(encodable: note)
        return request
    }

    func wrapped(_ note: Note) -> ResponseFuture<Response<Data?>> {
        return dispatcher.dataFuture() {
            let url = URL(string: "https://example.com/posts/1")!
            var request = URLRequest(url: url, method: .post)
            try request.setJSONBody(note)
            return request
        }
    }

    func unwrapped(done: @escaping @MainActor () -> Void) {
        dispatcher.dataFuture(from: listRequest).success { response in
            let data = try response.unwrapData()
            let string = try response.decodeString(encoding: .utf8)
            let notes = try response.decode([Note].self)
            self.lines.append("\(data.count == string.utf8.count) \(notes.count)")
        }.error { error in
            self.lines.append("error \(error)")
        }.completion { done() }.send()
    }
}

extension ResponseFuture where Success == Response<Data?> {
    var validHTTPResponse: ResponseFuture<HTTPResponse<Data?>> {
        return then(HTTPResponse<Data?>.self) { response -> HTTPResponse<Data?> in
            let httpResponse = try response.makeHTTPResponse()
            if let error = httpResponse.httpError {
                throw error
            }
            return httpResponse
        }
    }
}

struct ZonedModel: Codable {
    enum CodingKeys: String, CodingKey {
        case timeZoneId
        case value
    }

    let timeZone: TimeZone
    let value: String?

    init(from decoder: Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
        self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value) ?? nil
    }

    func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
    }
}

final class FormattedDateTransform: Transform {
    let formatter: DateFormatter

    init(formatter: DateFormatter) {
        self.formatter = formatter
    }

    func from(json: String, codingPath: [CodingKey]) throws -> Date {
        guard let date = formatter.date(from: json) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "Not a date: `\(json)`"))
        }
        return date
    }

    func toJSON(_ value: Date, codingPath: [CodingKey]) throws -> String {
        return formatter.string(from: value)
    }
}

final class TokenAdapter: URLRequestAdapter {
    func adapt(urlRequest: URLRequest, with callback: @escaping (URLRequest) throws -> Void) throws {
        var request = urlRequest
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        try callback(request)
    }
}

final class HeadAdapter: URLResponseAdapter {
    func adapt(
        urlResponse: URLResponse, for urlRequest: URLRequest, with callback: @escaping (URLResponse) throws -> Void
    ) throws {
        try callback(urlResponse)
    }
}

func mockOf111() -> MockURLRequestDispatcher {
    return MockURLRequestDispatcher(
        delay: 0,
        callback: { request in
            let note = ControllerOf111.Note(id: 1, userId: 123, title: "Some post")
            let writer = ControllerOf111.Writer(id: 123, name: "Kevin")
            if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
                let note = ControllerOf111.Note(id: id, userId: 123, title: "Some post")
                return try Response.makeMockJSONResponse(with: request, encodable: note, statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("posts")]) {
                return try Response.makeMockJSONResponse(with: request, encodable: [note], statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("users")]) {
                return try Response.makeMockJSONResponse(with: request, encodable: [writer], statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("users"), .wildcard(type: .integer)]) {
                return try Response.makeMockJSONResponse(with: request, encodable: writer, statusCode: .ok)
            } else {
                return Response.makeMockResponse(with: request, statusCode: .notFound)
            }
        })
}
