import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

extension Bundle {
    static var module: Bundle { .main }
}

func testFixtures() throws {
    // snippet
    print(server, replayer)
}
