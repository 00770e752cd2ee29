// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A future's value is there later: without await there is none.

import PiuPiu

nonisolated func title(_ titles: ResponseFuture<String>) throws -> String {
    // expected-error: 'async' property access in a function that does not support concurrency
    try titles.value
}
