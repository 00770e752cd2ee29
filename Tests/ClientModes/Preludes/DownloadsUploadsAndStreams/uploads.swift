// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func upload(_ imageData: Data, _ film: URL, _ camera: AsyncStream<Data>, to post: URLRequest) async throws {
    // snippet
}
