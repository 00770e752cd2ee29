// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A callback formed outside any actor runs in the background.

import PiuPiu

nonisolated func load(_ numbers: ResponseFuture<Int>) {
    var latest = 0
    // expected-error: mutation of captured var 'latest' in concurrently-executing code
    numbers.onSuccess { number in latest = number }.send()
    print(latest)
}
