// As users write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import NetworkKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A view controller as an app has it: on the main actor, its own server provider.
@MainActor
class PostsViewController {
    var shown: [String] = []
    var postResponseFuture: ResponseFuture<SuccessResponse<[Post]>>?
    weak var weakResponseFuture: ResponseFuture<Response<Data?>>?
    var finish: () -> Void = {}
    let dispatcher: MockDispatcher

    init(dispatcher: MockDispatcher) {
        self.dispatcher = dispatcher
    }

    func show(_ text: String) {
        shown.append(text)
    }

    func load() {
        let request = BasicRequest(method: .get, path: "/posts")
        dispatcher.future(from: request).response({ response in
            if let error = response.error {
                throw error
            }
            let posts = try response.decode([Post].self)
            self.show("\(posts.count) posts")
        }).error({ error in
            self.show("error")
        }).completion({
            self.show("completion")
            self.finish()
        }).start()
    }

    private func getPosts() -> ResponseFuture<[Post]> {
        let request = BasicRequest(method: .get, path: "/posts")
        return dispatcher.future(from: request).then({ response -> [Post] in
            if let error = response.error {
                throw error
            }
            return try response.decode([Post].self)
        })
    }

    func loadAll() {
        var titles: [String] = []
        getPosts().response({ posts in
            titles = posts.map { $0.title }
        }).error({ error in
            self.show("\(error)")
        }).completion({ [weak self] in
            self?.show(titles.joined(separator: ","))
            self?.finish()
        }).send()
    }

    func loadHeld() {
        let request = BasicRequest(method: .get, path: "/posts")
        postResponseFuture = dispatcher.future(from: request).then({ response in
            let posts = try response.decode([Post].self)
            return SuccessResponse<[Post]>(data: posts, response: response)
        }).response({ [weak self] response in
            self?.show("held \(response.data.count)")
        }).completion({ [weak self] in
            self?.postResponseFuture = nil
            self?.finish()
        })
        postResponseFuture?.send()
    }

    func loadWeakly() {
        let request = BasicRequest(method: .get, path: "/posts")
        weakResponseFuture = dispatcher.future(from: request).completion({
            self.show("weak")
            self.finish()
        }).send()
    }
}

extension PostsViewController: ServerProvider {
    var baseURL: URL {
        return URL(string: "https://example.com")!
    }

    func makeDispatcher() -> NetworkDispatcher {
        return NetworkDispatcher(serverProvider: self)
    }
}
