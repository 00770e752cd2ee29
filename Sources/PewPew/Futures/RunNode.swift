/// A run that may wait for another one.
protocol RunNode: AnyObject, Sendable {
    /// What it waits for at present, if that is another run.
    var awaited: (any RunNode)? { get }
}

extension RunNode {
    /// Whether it is the other one, or waits for it, through others or not.
    ///
    /// It looks only so far, as every start of a run asks.
    func dependsOn(_ other: any RunNode) -> Bool {
        var node: any RunNode = self
        for _ in 0..<1000 {
            if node === other { return true }
            guard let next = node.awaited else { return false }
            node = next
        }
        return false
    }
}
