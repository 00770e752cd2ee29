extension PolicyProgramModel {
    /// How an exchange ends.
    enum Ending: Equatable {
        case status(Int)
        /// A status that a validation turned into an error.
        case unacceptable(Int)
        case error(String)
        case deadline
        /// The refresh of the credential has failed.
        case refresh

        var text: String {
            switch self {
            case .status(let status): "\(status)"
            case .unacceptable(let status): "unacceptable \(status)"
            case .error(let kind): kind
            case .deadline: "deadline"
            case .refresh: "refresh"
            }
        }

        var status: Int? {
            switch self {
            case .status(let status), .unacceptable(let status): status
            case .error, .deadline, .refresh: nil
            }
        }

        /// Whether another attempt may end differently.
        var isPassing: Bool {
            status.map { [500, 429].contains($0) } ?? (self == .error("timedOut") || self == .deadline)
        }
    }
}
