// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Client code in one of the compiler's modes. Its settings say nothing else.
func client(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .testTarget(
        name: name,
        dependencies: [
            "ClientSupport",
            .product(name: "PiuPiu", package: "PiuPiu"),
            .product(name: "PiuPiuTesting", package: "PiuPiu"),
            .product(name: "_LoopbackServer", package: "PiuPiu"),
        ],
        swiftSettings: settings)
}

let package = Package(
    name: "ClientModes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PiuPiu", path: "../..")],
    targets: [
        .target(name: "ClientSupport", swiftSettings: upcomingFeatures),
        client("Swift5Tests", [.swiftLanguageMode(.v5)]),
        client("Swift6Tests", [.swiftLanguageMode(.v6)]),
        client("Swift6MainActorTests", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "FuturesTests", dependencies: [.product(name: "PiuPiuFutures", package: "PiuPiu")],
            swiftSettings: upcomingFeatures),
        // Compiles what must not compile, the code blocks of the documentation, code for each row of Migration.md, and the
        // client of Swift6Tests in the Swift 5 mode with complete checking. Its dependencies are the modules that those may
        // import.
        .testTarget(
            name: "CompilerTests",
            dependencies: [
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "NetworkKit", package: "PiuPiu"),
                .product(name: "PewPew", package: "PiuPiu"),
                .product(name: "ResultPromises", package: "PiuPiu"),
            ],
            swiftSettings: upcomingFeatures),
    ],
    swiftLanguageModes: [.v6]
)
