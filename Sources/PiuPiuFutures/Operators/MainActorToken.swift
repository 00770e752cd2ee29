/// Names the main actor as the place where a transform runs: `then(on: .main) { … }`.
///
/// Not a `DispatchQueue`, so that the closure is typed `@MainActor` and may use main-actor state directly.
public struct MainActorToken: Sendable {
    /// The main actor.
    public static let main = MainActorToken()

    private init() {}
}
