// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class FilmScreen {
    final class Bar {
        var progress: Float = 0
    }

    let bar = Bar()

    func play(_ film: URL) {}
    func show(_ error: any Error) {}

    func load(from request: URLRequest, to folder: URL) {
        // snippet
    }
}
