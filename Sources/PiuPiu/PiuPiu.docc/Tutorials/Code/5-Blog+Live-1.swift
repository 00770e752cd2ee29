import Foundation
import PiuPiu

extension Blog {
    static func live(server: URL) -> Blog {
        Blog(dispatcher: URLRequestDispatcher(), server: server)
    }
}
