// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A transform runs in the background: a local variable can't be changed from there.

import PiuPiu

nonisolated func load(_ numbers: ResponseFuture<Int>) {
    var sum = 0
    numbers
        .then { number in
            // expected-error: mutation of captured var 'sum' in concurrently-executing code
            sum += number
            return number
        }
        .send()
    print(sum)
}
