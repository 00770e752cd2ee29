/// The routes that a loopback server starts with. The first one that matches answers.
public struct LoopbackRoutes: Sendable {
    /// The routes in the order in which they are tried.
    public var routes: [LoopbackRoute]

    /// A set of routes.
    public init(_ routes: [LoopbackRoute] = []) {
        self.routes = routes
    }

    /// No routes: everything is answered with 404 until the test adds some.
    public static let none = LoopbackRoutes()

    /// All routes: ``jsonPlaceholder``, ``tools``, ``ranges``, ``redirects`` and ``faults``.
    public static let standard = LoopbackRoutes(
        jsonPlaceholder.routes + tools.routes + ranges.routes + redirects.routes + faults.routes)
}
