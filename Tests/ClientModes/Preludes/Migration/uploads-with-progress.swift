import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PhotoScreen {
    var bar: Float = 0
    let dispatcher = URLRequestDispatcher()
    func show(_ response: Response<Data?>) {}
    func show(_ error: any Error) {}

    func upload(_ request: URLRequest, _ data: Data, _ file: URL) async throws {
        // snippet
    }
}
