import Foundation
import ResultPromises

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A screen like a view controller, with its contents as properties.
class UsersScreen: ViewController {
    let session: URLSession
    var users: [User] = []
    var message: String?
    var isRefreshing = false
    var reloads = 0
    var finished: (() -> Void)?

    init(session: URLSession) {
        self.session = session
        super.init()
    }

    private func show(_ user: User) { users.append(user) }

    /// Handlers that are methods.
    func load(from promise: Promise<User>) {
        promise.onSuccess(handler: show).onError { [weak self] in self?.showError(message: "\($0)") }
    }

    private func reload() { reloads += 1 }
    private func showError(message: String) { self.message = message }

    /// The README's sequence: request, data, model.
    func load(path: String) {
        isRefreshing = true
        URLRequest.requestFor(path: path)
            .then { (request) -> Promise<Data> in
                return self.session.fetchData(from: request)
            }
            .then { (data) -> [User] in
                let decoder = JSONDecoder()
                return try decoder.decode([User].self, from: data)
            }
            .onComplete { (_) in
                self.isRefreshing = false
            }
            .onSuccess { (users) in
                self.users = users
                self.reload()
            }
            .onError { (error) in
                self.showError(message: error.localizedDescription)
            }
            .onComplete { _ in self.finished?() }
    }

    /// The README's short form: request, object.
    func loadObject(path: String) {
        isRefreshing = true
        URLRequest.requestFor(path: path)
            .then { (request) -> Promise<[User]> in
                return self.session.fetchRESTObject(from: request)
            }
            .onComplete { (_) in
                self.isRefreshing = false
            }
            .onSuccess { (users) in
                self.users = users
                self.reload()
            }
            .onError { (error) in
                self.showError(message: error.localizedDescription)
            }
            .onComplete { _ in self.finished?() }
    }

    /// With weak references, for a screen that may be released before its answer arrives.
    func loadWeakly(path: String, steps: @escaping (String) -> Void) {
        URLRequest.requestFor(path: path)
            .then { [weak self] (request) -> Promise<[User]> in
                guard let self = self else {
                    let gone = Promise<[User]>()
                    gone.resolve(error: AppError.other)
                    return gone
                }
                return self.session.fetchRESTObject(from: request)
            }
            .onSuccess { [weak self] (users) in
                self?.users = users
                steps(self == nil ? "nobody sees \(users.count)" : "\(users.count) are seen")
            }
            .onError { [weak self] (error) in
                self?.showError(message: error.localizedDescription)
                steps("failed")
            }
    }

    /// The README's long form, with the data task by hand, and with handlers between the steps.
    func loadByHand(path: String, steps: @escaping (String) -> Void) {
        let urlRequestPromise = URLRequest.requestFor(path: path)
        urlRequestPromise
            .onError { _ in
                steps("no request")
            }
            .then { (request) -> Promise<Data> in
                let promise = Promise<Data>()
                self.session.dataTask(with: request) { (data, response, error) in
                    guard error == nil else {
                        promise.resolve(error: NetworkError.network(error: error))
                        return
                    }
                    guard let data = data, data.count > 0 else {
                        promise.resolve(error: NetworkError.missedData)
                        return
                    }
                    promise.resolve(result: data)
                }.resume()
                return promise
            }
            .onSuccess { data in
                steps("\(data.count > 0 ? "some" : "no") bytes had been received")
            }
            .onComplete { _ in
                self.isRefreshing = false
            }
            .then { (data) -> [User] in
                try JSONDecoder().decode([User].self, from: data)
            }
            .onSuccess { modelData in
                self.users = modelData
                steps("model")
            }
            .onError { _ in
                steps("failed")
            }
    }
}
