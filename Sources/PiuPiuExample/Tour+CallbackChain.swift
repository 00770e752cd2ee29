import Foundation
import PiuPiu

extension Tour {
    /// A chain in the style of PiuPiu 1.x: decode, join in series, follow the progress, handle the result.
    func callbackChain() async {
        transcript.title("1. A callback chain: decode, series join, progress")
        let here = #isolation
        await withCheckedContinuation { continuation in
            let ending = Ending()
            post(1)
                .then { post in
                    transcript.note("then: decoded post \(post.id)")
                    return post
                }
                .seriesJoin(User.self) { @MainActor post in
                    transcript.note("seriesJoin: asks for user \(post.userId)")
                    return user(post.userId)
                }
                .updated { update in
                    ending.updateCount += 1
                    transcript.note("updated: \(update.stage), \(update.progress.bytesReceived) bytes received")
                }
                .success { post, user in
                    ending.isSuccess = true
                    transcript.expect(post.userId == user.id, "success: post \(post.id) is by \(user.name)")
                }
                .error { transcript.note("error: \($0.localizedDescription)") }
                .completion {
                    transcript.expect(ending.isSuccess, "completion: the last callback, after success")
                    transcript.expect(
                        ending.updateCount >= 6, "two requests make six updates or more: \(ending.updateCount)")
                    continuation.resume()
                }
                .send()
            transcript.note("send() has returned; nothing was delivered inside it", isolation: here)
        }
    }
}

/// The state that the callbacks change, on the main actor, as in a view controller.
@MainActor
private final class Ending {
    var isSuccess = false
    var updateCount = 0

    nonisolated init() {}
}
