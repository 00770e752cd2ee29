import Foundation
import PiuPiu

func secure(companyRoots: URL) throws {
    // snippet
    _ = secured
}
