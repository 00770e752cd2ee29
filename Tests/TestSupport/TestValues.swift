package import PiuPiu

/// An error to recognise.
package struct Mishap: Error, Equatable, Sendable {
    package var number: Int

    package init(number: Int = 0) {
        self.number = number
    }
}

/// An object whose release can be seen through a weak reference.
package final class LifetimeToken: Sendable {
    package init() {}
}

/// A weak reference that a test can hand around.
package struct Weak<Object: AnyObject & Sendable>: Sendable {
    package private(set) weak var object: Object?

    package init(_ object: Object?) {
        self.object = object
    }
}

/// A counter that any thread may raise.
package final class Counter: Sendable {
    private let count = Locked(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }

    @discardableResult
    package func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// A place for a reference that is set later.
package final class Box<Value: Sendable>: Sendable {
    private let content = Locked<Value?>(nil)

    package init() {}

    package var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension ResponseFuture {
    /// The outcome in a word.
    package var ending: String {
        get async {
            do {
                return "value \(try await value)"
            } catch is CancellationError {
                return "cancelled"
            } catch {
                return "error \(error)"
            }
        }
    }

    /// A task that awaits the future, and has reached the await already.
    package func awaitedInTask() -> Task<String, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { await ending }
        }
        return Task { await ending }
    }
}
