/// What every ``TransferEngine`` of PiuPiu has to do, as checks that can be run against any of them.
///
/// ```swift
/// @Test(arguments: EngineConformance.checks)
/// func conforms(check: EngineCheck) async throws {
///     try await check.run { MyEngine() }
/// }
/// ```
///
/// All traffic is with 127.0.0.1, where each check has a server of its own.
public enum EngineConformance {
    /// All checks, each under a name of its own.
    public static let checks: [EngineCheck] =
        FaultChecks.all + CancellationChecks.all + EventChecks.all + ResponseChecks.all + RedirectChecks.all
        + UploadChecks.all + StreamChecks.all + LifeChecks.all

    /// Answers that crash a process inside FoundationNetworking: three kinds, and every response that is cut off. For
    /// other engines only.
    public static let deadlyAnswers: [EngineCheck] = DeadlyAnswerChecks.all + CutChecks.all

    /// Which requests may be sent twice. Not for the engine over FoundationNetworking, which repeats any.
    public static let onceChecks: [EngineCheck] = OnceChecks.all
}
