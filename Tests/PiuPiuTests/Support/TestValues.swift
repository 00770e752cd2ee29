import PiuPiu

/// An error to recognise.
struct Mishap: Error, Equatable, Sendable {
    var number = 0
}

/// An object whose end can be seen through a weak reference.
final class Token: Sendable {}

/// A weak reference that a test can hand around.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
    }
}

/// A counter that any thread may raise.
final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// A place for a reference that is set later.
final class Box<Value: Sendable>: Sendable {
    private let content = Locked<Value?>(nil)

    var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension ResponseFuture {
    /// The outcome in a word.
    var ending: String {
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

    /// A task that awaits the future, and has come to the await already.
    func awaitedInTask() -> Task<String, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { await ending }
        }
        return Task { await ending }
    }
}
