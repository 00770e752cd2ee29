/// A type with the progress of a transfer: a ``TransferUpdate``, a ``TransferProgress``, Foundation's `URLSessionTask`,
/// or your own type.
///
/// ```swift
/// let running: [any TransferMeasuring] = [song.progress, film.progress]
/// bar.progress = running.averagePercentTransferred ?? 0
/// ```
///
/// The names say percent, as in PiuPiu 1.x, but all values are shares from 0 to 1, as for a progress bar. They are
/// `nil` while the number of expected bytes is unknown, and if it is 0.
public protocol TransferMeasuring {
    /// The transferred bytes and the expected bytes.
    var transferProgress: TransferProgress { get }
}

extension TransferMeasuring {
    /// The share of the request's body that has been sent, from 0 to 1; `nil` if its length is unknown or 0.
    public var percentSent: Float? { transferProgress.fractionSent.map(Float.init) }

    /// The share of the response's body that has arrived, from 0 to 1; `nil` while its length is unknown, and if it
    /// is 0.
    public var percentReceived: Float? { transferProgress.fractionReceived.map(Float.init) }

    /// The same as ``percentReceived``, in the spelling of PiuPiu 1.x.
    public var percentRecieved: Float? { percentReceived }

    /// The mean of both shares, from 0 to 1, or the only one that isn't `nil`; `nil` if both are.
    public var percentTransferred: Float? { transferProgress.fractionTransferred.map(Float.init) }
}

extension TransferProgress: TransferMeasuring {
    /// The progress itself.
    public var transferProgress: TransferProgress { self }
}

extension TransferUpdate: TransferMeasuring {
    /// The progress of the transfer at the time of the update.
    public var transferProgress: TransferProgress { progress }
}
