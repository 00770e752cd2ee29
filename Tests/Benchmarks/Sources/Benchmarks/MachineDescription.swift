import Foundation

/// Where and when the numbers were taken.
enum MachineDescription {
    static var line: String {
        let information = ProcessInfo.processInfo
        let date = Date.now.formatted(.iso8601.year().month().day())
        let parts = [
            date, information.operatingSystemVersionString, processor,
            "\(information.activeProcessorCount) cores", compiler,
            NginxProcess.isInstalled ? "nginx" : "a server of our own",
        ]
        return parts.joined(separator: " · ")
    }

    private static var processor: String {
        #if canImport(Darwin)
            return output(of: "sysctl", "-n", "machdep.cpu.brand_string") ?? "unknown processor"
        #else
            let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
            let name = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            return name ?? "unknown processor"
        #endif
    }

    private static var compiler: String {
        output(of: "swift", "--version") ?? "Swift of unknown version"
    }

    /// The first line that a command prints.
    private static func output(of command: String...) -> String? {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
