// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "AllocationCounter"),
        .executableTarget(
            name: "BenchmarkServer",
            dependencies: [.product(name: "_LoopbackServer", package: "PiuPiu")],
            swiftSettings: upcomingFeatures),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "AllocationCounter",
                // Not linked: it is to be built along, as the HTTP scenarios start it.
                "BenchmarkServer",
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "_LoopbackServer", package: "PiuPiu"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: upcomingFeatures),
    ],
    swiftLanguageModes: [.v6]
)
