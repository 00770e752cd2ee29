/// Names the main actor as the place where a transform runs: `then(on: .main) { … }`.
///
/// A type of its own beside `DispatchQueue`, so that the closure is typed `@MainActor` and may touch what belongs
/// there without ceremony.
public struct MainActorToken: Sendable {
    /// The main actor.
    public static let main = MainActorToken()

    private init() {}
}
