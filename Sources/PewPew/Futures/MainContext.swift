import Dispatch
import Foundation

/// Runs callbacks on the main actor: at once if the caller is on it, as the legacy libraries did, else later.
enum MainContext {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// On Linux another thread than the main one may serve the main queue.
    private static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) ?? false }

    static func run(_ body: @escaping @MainActor () -> Void) {
        if isCurrent {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }

    /// A step on the main actor; the steps that follow from it run there, too.
    static func step(_ body: @escaping @MainActor () -> [RunStep]) -> RunStep {
        RunStep {
            if isCurrent { return MainActor.assumeIsolated(body) }
            DispatchQueue.main.async { RunStep.perform(MainActor.assumeIsolated(body)) }
            return []
        }
    }
}
