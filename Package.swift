// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

/// What some builds of `.ci/run` do without: folders of PiuPiuTests, and other targets of tests.
func excluded(_ variable: String) -> [String] {
    (Context.environment[variable] ?? "").split(separator: " ").map(String.init)
}
let excludedTests = excluded("PIUPIU_EXCLUDED_TESTS")
let excludedTestTargets = excluded("PIUPIU_EXCLUDED_TEST_TARGETS")

/// In a release without debug information nobody needs the module of the tests, which takes about a tenth of the time of
/// their build (`.ci/run`).
let testModuleFlags = Context.environment["PIUPIU_WITHOUT_TEST_MODULE"] == nil ? [] : ["-no-emit-module-separately"]

/// Sound: flags of a test target reach nobody who depends on the package.
let testFlags: [SwiftSetting] = [
    // Each process of the compiler loads all modules and the macros of the tests anew, so there are few.
    .unsafeFlags(["-driver-batch-size-limit", "50"] + testModuleFlags, .when(platforms: [.linux])),
    // File by file: for all of them at once the optimiser needs minutes on one core.
    .unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release)),
]

let package = Package(
    name: "PiuPiu",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PiuPiu", targets: ["PiuPiu"]),
        // Futures without requests. `PiuPiu` has all of it, too.
        .library(name: "PiuPiuFutures", targets: ["PiuPiuFutures"]),
        .library(name: "PiuPiuTesting", targets: ["PiuPiuTesting"]),
        .library(name: "ResultPromises", targets: ["ResultPromises"]),
        .library(name: "NetworkKit", targets: ["NetworkKit"]),
        .library(name: "PewPew", targets: ["PewPew"]),
        .executable(name: "PiuPiuExample", targets: ["PiuPiuExample"]),
        // For tests of engines: EnginesOfYourOwn.md.
        .library(name: "EngineConformance", targets: ["EngineConformance"]),
        // For the nested packages under Tests, which can depend on products only.
        .library(name: "_LoopbackServer", targets: ["LoopbackServer"]),
    ],
    targets: [
        // What is used of libcurl, which FoundationNetworking brings along: nothing to install, nothing to link.
        .target(name: "CPiuPiuCurl"),
        // The same of zlib, libbrotlidec and libzstd, which libcurl brings along.
        .target(name: "CPiuPiuCodings"),
        // Locks, lines, clocks, texts of errors: what all others use.
        .target(name: "PiuPiuBasics", swiftSettings: upcomingFeatures),
        // The future, and what it needs: it can't see requests, nor Foundation's networking.
        .target(name: "PiuPiuFutures", dependencies: ["PiuPiuBasics"], swiftSettings: upcomingFeatures),
        // Requests and responses, as values.
        .target(name: "PiuPiuHTTP", dependencies: ["PiuPiuBasics"], swiftSettings: upcomingFeatures),
        // What carries out exchanges, and what decorates that.
        .target(
            name: "PiuPiuEngines",
            dependencies: [
                "PiuPiuHTTP", .target(name: "CPiuPiuCurl", condition: .when(platforms: [.linux])),
                .target(name: "CPiuPiuCodings", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: upcomingFeatures),
        // Futures of exchanges, and policies on them.
        .target(
            name: "PiuPiuDispatchers", dependencies: ["PiuPiuFutures", "PiuPiuEngines"],
            swiftSettings: upcomingFeatures),
        // All of the above with one import, older names, and doubles for tests.
        .target(name: "PiuPiu", dependencies: ["PiuPiuDispatchers"], swiftSettings: upcomingFeatures),
        .target(name: "PiuPiuTesting", dependencies: ["PiuPiu"], swiftSettings: upcomingFeatures),
        .target(name: "ResultPromises", dependencies: ["PiuPiu"], swiftSettings: upcomingFeatures),
        .target(name: "PewPew", dependencies: ["PiuPiu"], swiftSettings: upcomingFeatures),
        // PewPew under its older name, with the names and the texts of errors that PewPew no longer had.
        .target(name: "NetworkKit", dependencies: ["PewPew"], swiftSettings: upcomingFeatures),
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer", swiftSettings: upcomingFeatures),
        .target(
            name: "EngineConformance", dependencies: ["PiuPiu", "LoopbackServer"], path: "Tests/EngineConformance",
            swiftSettings: upcomingFeatures),
        .executableTarget(
            name: "PiuPiuExample", dependencies: ["PiuPiu", "PiuPiuTesting", "LoopbackServer"],
            swiftSettings: upcomingFeatures),
        .target(name: "TestProcess", path: "Tests/TestProcess"),
        // What several targets of tests share.
        .target(
            name: "TestSupport", dependencies: ["PiuPiu", "PiuPiuTesting", "TestProcess"], path: "Tests/TestSupport",
            swiftSettings: upcomingFeatures),
        // What decides who holds a future is the code of these tests, too: in a release it is optimised.
        .testTarget(
            name: "PiuPiuFuturesTests",
            dependencies: ["PiuPiu", "PiuPiuTesting", "LoopbackServer", "TestSupport"],
            swiftSettings: upcomingFeatures + testFlags),
        .testTarget(
            name: "PiuPiuTests",
            dependencies: [
                "PiuPiu", "PiuPiuTesting", "LoopbackServer", "EngineConformance", "TestProcess", "TestSupport",
            ],
            exclude: excludedTests,
            // What is tested is optimised. With the optimiser, tests take more than twice as long to compile.
            swiftSettings: upcomingFeatures + testFlags + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
        .testTarget(
            name: "ResultPromisesTests", dependencies: ["ResultPromises", "PiuPiu", "LoopbackServer", "TestSupport"],
            path: "Tests/ResultPromisesTests/Current", swiftSettings: upcomingFeatures),
        // Code as its users wrote it, in the language mode that they wrote it for.
        .testTarget(
            name: "ResultPromisesLegacyTests", dependencies: ["ResultPromises", "LoopbackServer"],
            path: "Tests/ResultPromisesTests/LegacyClient", swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "PewPewTests", dependencies: ["PewPew", "LoopbackServer", "TestSupport"],
            swiftSettings: upcomingFeatures),
        .testTarget(
            name: "NetworkKitTests", dependencies: ["NetworkKit", "TestSupport"], exclude: ["Client"],
            swiftSettings: upcomingFeatures),
        // Code as it was written for NetworkKit.
        .testTarget(
            name: "NetworkKitClientTests", dependencies: ["NetworkKit", "PiuPiu", "TestSupport"],
            path: "Tests/NetworkKitTests/Client",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // Client code of PiuPiu 1.4 and 1.11, in the mode that it was written for.
        .testTarget(
            name: "PiuPiuCompatibilityTests", dependencies: ["PiuPiu", "LoopbackServer", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ],
    swiftLanguageModes: [.v6]
)

package.targets.removeAll { excludedTestTargets.contains($0.name) }
