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

    /// Answers that end a process inside FoundationNetworking, three of them and every response that is cut off: for other
    /// engines only.
    public static let deadlyAnswers: [EngineCheck] = DeadlyAnswerChecks.all + CutChecks.all

    /// What may be sent twice: for other engines than that over FoundationNetworking, which sends anything.
    public static let onceChecks: [EngineCheck] = OnceChecks.all
}
