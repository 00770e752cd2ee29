/// The progress of several transfers together: the mean of the known shares, or `nil` if none is known.
///
/// Each transfer has the same weight, whatever its length.
extension Sequence where Element: TransferMeasuring {
    /// The mean share of the requests' bodies that has been sent, from 0 to 1.
    public var averagePercentSent: Float? { mean(of: map(\.percentSent)) }

    /// The mean share of the responses' bodies that has arrived, from 0 to 1.
    public var averagePercentReceived: Float? { mean(of: map(\.percentReceived)) }

    /// The same as ``averagePercentReceived``, in the spelling of PiuPiu 1.x.
    public var averagePercentRecieved: Float? { averagePercentReceived }

    /// The mean share of both bodies that has been transferred, from 0 to 1.
    public var averagePercentTransferred: Float? { mean(of: map(\.percentTransferred)) }
}

/// The same for transfers of different types.
extension Sequence where Element == any TransferMeasuring {
    /// The mean share of the requests' bodies that has been sent, from 0 to 1.
    public var averagePercentSent: Float? { map(\.transferProgress).averagePercentSent }

    /// The mean share of the responses' bodies that has arrived, from 0 to 1.
    public var averagePercentReceived: Float? { map(\.transferProgress).averagePercentReceived }

    /// The same as ``averagePercentReceived``, in the spelling of PiuPiu 1.x.
    public var averagePercentRecieved: Float? { averagePercentReceived }

    /// The mean share of both bodies that has been transferred, from 0 to 1.
    public var averagePercentTransferred: Float? { map(\.transferProgress).averagePercentTransferred }
}

private func mean(of shares: [Float?]) -> Float? {
    let known = shares.compactMap(\.self)
    return known.isEmpty ? nil : known.reduce(0, +) / Float(known.count)
}
