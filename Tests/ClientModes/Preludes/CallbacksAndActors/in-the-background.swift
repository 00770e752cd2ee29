// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Log: Sendable {
    func write(_ text: String) {}
}

@MainActor
final class TitleScreen {
    let queue = DispatchQueue(label: "log")
    let log = Log()
    var title = ""

    func load() {
        let (queue, log) = (queue, log)
        // snippet
    }
}
