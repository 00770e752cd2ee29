/// An engine over another one.
protocol DecoratingEngine: TransferEngine {
    /// The engine that carries out its exchanges.
    var base: any TransferEngine { get }
}

extension TransferEngine {
    /// Whether the start of an exchange starts a task, which inherits from the current one (contract rule INHERIT).
    var startsTasks: Bool {
        (self as? any DecoratingEngine)?.base.startsTasks ?? (self is any AsyncTransferEngine)
    }
}
