/// Something that knows how far a transfer has come: a ``TransferUpdate``, a ``TransferProgress``, Foundation's
/// `URLSessionTask`, or a type of your own.
///
/// ```swift
/// let running: [any TransferMeasuring] = [song.progress, film.progress]
/// bar.progress = running.averagePercentTransferred ?? 0
/// ```
///
/// The names say per cent, as in PiuPiu 1.x, but all are shares from 0 to 1, as a progress bar takes them. They are `nil`
/// while the number of expected bytes is unknown, or zero.
public protocol TransferMeasuring {
    /// The bytes that have been transferred, and those that are expected.
    var transferProgress: TransferProgress { get }
}

extension TransferMeasuring {
    /// The share of the request's body that has been sent, from 0 to 1; `nil` while it is unknown.
    public var percentSent: Float? { transferProgress.fractionSent.map(Float.init) }

    /// The share of the response's body that has arrived, from 0 to 1; `nil` while it is unknown.
    public var percentReceived: Float? { transferProgress.fractionReceived.map(Float.init) }

    /// The same as ``percentReceived``, in the spelling of PiuPiu 1.x.
    public var percentRecieved: Float? { percentReceived }

    /// The mean of both shares, from 0 to 1, or the one that is known; `nil` while neither is.
    public var percentTransferred: Float? { transferProgress.fractionTransferred.map(Float.init) }
}

extension TransferProgress: TransferMeasuring {
    /// The progress itself.
    public var transferProgress: TransferProgress { self }
}

extension TransferUpdate: TransferMeasuring {
    /// How far the transfer had come when the update was made.
    public var transferProgress: TransferProgress { progress }
}
