import Foundation
import ResultPromises

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Code in the style of 2018: mutable classes as models, Any, generic helpers, screens that talk to the session.

struct User: Codable, Equatable {
    let id: Int
    let name: String
}

class Album {
    var title = ""
    var photos: [Any] = []
}

enum AppError: Error, Equatable {
    case test
    case other
}

class Loader<Model> {
    let promise = Promise<Model>()
    var last: Result<Model>?

    func finish(_ model: Model) {
        last = .success(value: model)
        promise.resolve(result: model)
    }
}

/// A service with a given session and generic methods.
class Service {
    let session: URLSession
    let base: String
    var requested: [String] = []

    init(session: URLSession, base: String) {
        self.session = session
        self.base = base
    }

    func object<T: Decodable>(_ path: String) -> Promise<T> {
        requested.append(path)
        return session.fetchRESTObject(from: base + path)
    }

    func objects<T: Decodable>(_ path: String, of type: T.Type) -> Promise<[T]> {
        URLRequest.requestFor(path: base + path)
            .then { (request) -> Promise<[T]> in
                return self.session.fetchRESTObject(from: request)
            }
    }
}

func wrap<T>(_ value: T) -> Promise<T> {
    let promise = Promise<T>()
    promise.resolve(result: value)
    return promise
}

/// Merges the dictionaries of anything that two promises give.
func merged(_ first: Promise<[String: Any]>, _ second: Promise<[String: Any]>) -> Promise<[String: Any]> {
    let promise = Promise<[String: Any]>()
    first.onSuccess { one in
        second.onSuccess { other in
            promise.resolve(result: one.merging(other) { $1 })
        }.onError { promise.resolve(error: $0) }
    }.onError { promise.resolve(error: $0) }
    return promise
}

extension Promise {
    func asVoid() -> Promise<Void> { then { _ in () } }
}

func oneAndAll(_ service: Service) -> Promise<(User, [User])> {
    let user: Promise<User> = service.object("/users/1")
    return user.then { one in
        service.objects("/users", of: User.self).then { (one, $0) }
    }
}

/// Promises of a class, of Any, of nothing.
func titlesOfAnything() throws -> [String] {
    let album = Album()
    var titles: [String] = []
    wrap(album).onSuccess { album in
        album.title = "A"
        titles.append(album.title)
    }
    let loader = Loader<Album>()
    loader.promise.then { $0.photos }.onSuccess { titles.append("\($0.count) photos") }
    loader.finish(album)
    try titles.append(loader.last?.resolve() === album ? "the album" : "another")
    let first = Promise<[String: Any]>()
    merged(first, wrap(["b": 2])).onSuccess { titles.append($0.keys.sorted().joined()) }
    first.resolve(result: ["a": NSNull()])
    first.asVoid().onSuccess { titles.append("void") }
    return titles
}
