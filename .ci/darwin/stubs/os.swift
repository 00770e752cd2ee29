// What the package uses of Apple's os.

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {}

    public mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral: String) {}

    public init(stringInterpolation: OSLogInterpolation) {}
}

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}

    public func debug(_ message: OSLogMessage) {}

    public func notice(_ message: OSLogMessage) {}

    public func error(_ message: OSLogMessage) {}
}
