import NIOCore

/// A chain of swift-nio that is made before its value is there.
enum NIOPromiseChain {
    @inline(never) @concurrent
    static func sum(_ count: Int, length: Int) async throws -> Int {
        try await NIOLoop.run { loop in
            let sum = Sum()
            for _ in 0..<count {
                let promise = loop.makePromise(of: Int.self)
                var future = promise.futureResult
                for _ in 0..<length { future = future.map { $0 &+ 1 } }
                future.whenSuccess { sum.add($0) }
                promise.succeed(1)
            }
            return sum.total
        }
    }
}
