import PiuPiu

/// The operators whose callback makes a future.
enum FutureMaking: CaseIterable, Sendable {
    case replace, seriesJoin, flatMap, flatJoin

    func future(_ make: @escaping @Sendable () -> ResponseFuture<Int>) -> ResponseFuture<Int> {
        let root = ResponseFuture(result: 1)
        return switch self {
        case .replace: root.replace { _ in make() }
        case .seriesJoin: root.seriesJoin { _ in make() }.then { $0 + $1 }
        case .flatMap: root.flatMap { _ in make() }
        case .flatJoin: root.flatJoin { _ in make() }.then { $0 + $1 }
        }
    }
}
