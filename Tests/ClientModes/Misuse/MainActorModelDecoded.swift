// refused-in: swift6-main-actor
// allowed-in: swift5, swift5-complete, swift6

// Models are decoded in the background: where code is main-actor by default, they say nonisolated.

import Foundation
import PiuPiu

struct Post: Codable {
    let id: Int
}

func post(_ data: ResponseFuture<Response<Data?>>) -> ResponseFuture<Response<Post>> {
    // expected-error: main actor-isolated conformance of 'Post' to 'Decodable' cannot satisfy conformance requirement
    data.decoded(Post.self)
}
