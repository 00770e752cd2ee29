import Foundation
import PiuPiu

extension Blog {
    static func live(server: URL) -> Blog {
        let dispatcher = URLRequestDispatcher()
            .limited(to: 16, perHost: 4)
            .retrying()
            .deadline(.seconds(10))
        return Blog(dispatcher: dispatcher, server: server)
    }
}
