import Foundation
import PiuPiu
import ResultPromises
import TestSupport

/// Tells where code runs.
enum Place {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var current: String {
        if DispatchQueue.getSpecific(key: mainKey) == true { return "main" }
        return OperationQueue.current?.name ?? "elsewhere"
    }
}

extension OperationQueue {
    /// A serial queue with a name.
    static func named(_ name: String) -> OperationQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// Runs `body` on this queue and waits for it.
    func run(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            addOperation {
                body()
                continuation.resume()
            }
        }
    }
}

/// Runs `body` on a thread that serves no operation queue, and waits for it.
func onPlainThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            body()
            continuation.resume()
        }
    }
}
