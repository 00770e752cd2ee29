// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A function value that says nothing about actors isn't Sendable; a closure that calls it is the way out.

import PiuPiu

@MainActor
final class Screen {
    var number = 0

    func show(_ number: Int) {
        self.number = number
    }

    func load(_ numbers: ResponseFuture<Int>, done: @escaping () -> Void) {
        numbers
            .success { number in self.show(number) }
            .completion { done() }
            .send()
        numbers
            // expected-error: passing non-Sendable parameter 'done' to function expecting a '@Sendable' closure
            .completion(done)
            .send()
    }
}
