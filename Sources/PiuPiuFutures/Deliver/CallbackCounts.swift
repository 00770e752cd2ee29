/// A number for each kind of callback. Not a vector, which takes a third more room and has to be aligned.
struct CallbackCounts: Sendable, Equatable {
    private var update: UInt32 = 0
    private var success: UInt32 = 0
    private var failure: UInt32 = 0
    private var cancellation: UInt32 = 0
    private var completion: UInt32 = 0
    private var progress: UInt32 = 0

    var sum: Int { Int(update) + Int(success) + Int(failure) + Int(cancellation) + Int(completion) + Int(progress) }

    subscript(kind: CallbackKind) -> Int {
        get {
            switch kind {
            case .update: Int(update)
            case .success: Int(success)
            case .failure: Int(failure)
            case .cancellation: Int(cancellation)
            case .completion: Int(completion)
            case .progress: Int(progress)
            }
        }
        set {
            let number = UInt32(newValue)
            switch kind {
            case .update: update = number
            case .success: success = number
            case .failure: failure = number
            case .cancellation: cancellation = number
            case .completion: completion = number
            case .progress: progress = number
            }
        }
    }
}
