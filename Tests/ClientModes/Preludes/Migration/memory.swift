import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    var future: ResponseFuture<Response<Data?>>?
    var task: Task<Void, any Error>?
    let dispatcher = URLRequestDispatcher()
    func show(_ response: Response<Data?>) {}

    func load(_ request: URLRequest) {
        // snippet
    }
}
