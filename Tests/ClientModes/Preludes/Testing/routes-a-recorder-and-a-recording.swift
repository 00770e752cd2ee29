// with: README/sixty-seconds-1

import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Model {
    func load() {}
}

func model(_ dispatcher: any DataDispatcher) -> Model { Model() }

func testModel(_ clock: ManualClock, users: [User], file: URL) async throws {
    // snippet
}
