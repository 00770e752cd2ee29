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
    name: "Interoperability",
    platforms: [.macOS(.v15)],
    products: [.library(name: "AsyncHTTPClientEngine", targets: ["AsyncHTTPClientEngine"])],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPClientEngine",
            dependencies: [
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: upcomingFeatures),
        .executableTarget(
            name: "EngineThroughput",
            dependencies: [
                "AsyncHTTPClientEngine",
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "_LoopbackServer", package: "PiuPiu"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ],
            swiftSettings: upcomingFeatures),
        .testTarget(
            name: "InteroperabilityTests",
            dependencies: [
                "AsyncHTTPClientEngine",
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "EngineConformance", package: "PiuPiu"),
                .product(name: "_LoopbackServer", package: "PiuPiu"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: upcomingFeatures),
        .testTarget(
            name: "ObservingRecipesTests",
            dependencies: [
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "_LoopbackServer", package: "PiuPiu"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: upcomingFeatures),
        .testTarget(
            name: "TransferSecurityTests",
            dependencies: [
                .product(name: "PiuPiu", package: "PiuPiu"),
                .product(name: "_LoopbackServer", package: "PiuPiu"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: upcomingFeatures),
    ],
    swiftLanguageModes: [.v6]
)
