import PiuPiu
import TestSupport

/// The operators that make a future from another, each applied so that the other's outcome passes through.
enum LinkingOperator: CaseIterable, Sendable {
    case asyncThen, asyncThenOnMain, asyncMap, asyncMapOnMain, asyncThenResult, asyncFlatMap
    case asyncFlatJoin, asyncFlatNullableJoin, asyncSafeFlatJoin, asyncSafeFlatNullableJoin
    case recover, recoverAsync, recoverFuture, recoverAsyncFuture, recoverOnly, mapError
    case ensure, timeout, delay, retry, reduce, fold, whenAllComplete, unwrap, compactMap, compactMapValues

    /// Those whose closures belong in the background.
    static let ofBackground = allCases.filter { $0 != .asyncThenOnMain && $0 != .asyncMapOnMain }

    /// Those that start the other future on the caller.
    static let onCaller = allCases.filter { $0 != .retry }

    func applied(to future: consuming ResponseFuture<Int>) -> ResponseFuture<Int> {
        switch self {
        case .asyncThen: future.then { await Self.suspended($0) }
        case .asyncThenOnMain: future.then(on: .main) { await Self.suspended($0) }
        case .asyncMap: future.map { await Self.suspended($0) }
        case .asyncMapOnMain: future.map(on: .main) { await Self.suspended($0) }
        case .asyncThenResult: future.thenResult { await Self.suspended(try $0.get()) }
        case .asyncFlatMap: future.flatMap { ResponseFuture(result: await Self.suspended($0)) }
        case .asyncFlatJoin: future.flatJoin { ResponseFuture(result: await Self.suspended($0)) }.then { $1 }
        case .asyncFlatNullableJoin:
            future.flatNullableJoin { ResponseFuture(result: await Self.suspended($0)) }.then { $1 ?? -1 }
        case .asyncSafeFlatJoin:
            future.safeFlatJoin { ResponseFuture(result: await Self.suspended($0)) }.then { try $1.get() }
        case .asyncSafeFlatNullableJoin:
            future.safeFlatNullableJoin { ResponseFuture(result: await Self.suspended($0)) }
                .then { try $1?.get() ?? -1 }
        case .recover: future.recover(from: .errors { _ in false }) { _ in -1 }
        case .recoverAsync: future.recover(from: .errors { _ in false }) { _ in await Self.suspended(-1) }
        case .recoverFuture: future.recover(from: .errors { _ in false }) { _ in ResponseFuture(result: -1) }
        case .recoverAsyncFuture:
            future.recover(from: .errors { _ in false }) { _ in ResponseFuture(result: await Self.suspended(-1)) }
        case .recoverOnly: future.recover(only: DecodingError.self) { _ in -1 }
        case .mapError: future.mapError { $0 }
        case .ensure: future.ensure {}
        case .timeout: future.timeout(.seconds(3_600))
        case .delay: future.delay(.zero)
        case .retry: Self.retrying(consume future)
        case .reduce: ResponseFuture.reduce(0, [future]) { $0 + $1 }
        case .fold: future.fold([ResponseFuture(result: 0)]) { $0 + $1 }
        case .whenAllComplete: ResponseFuture.whenAllComplete([future]).then { try $0[0].get() }
        case .unwrap: future.then { Optional($0) }.unwrap(orThrow: Mishap(number: -1))
        case .compactMap: future.compactMap { Optional($0) }
        case .compactMapValues: future.then { [$0, nil] }.compactMapValues { $0 }.then { $0[0] }
        }
    }

    private static func retrying(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        ResponseFuture.retry(1) { future }
    }

    private static func suspended(_ number: Int) async -> Int { number }
}
