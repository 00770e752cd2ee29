import Foundation
import TestProcess

/// What this process holds, as Linux counts it.
struct ProcessFigures: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let residentKilobytes: Int
    /// What is allocated of the heap; the rest of what is resident the heap keeps for later. 0 where it isn't known.
    let allocatedKilobytes: Int

    static func now() throws -> ProcessFigures {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return ProcessFigures(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count,
            residentKilobytes: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4,
            allocatedKilobytes: test_process_allocated_bytes() >> 10)
    }

    /// What descriptors and threads there are, for a failure: how many of each kind.
    static func kinds() throws -> String {
        var kinds: [String: Int] = [:]
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // The one that lists them is gone.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            kinds[target.map { $0.prefix { $0 != ":" }.description } ?? "gone", default: 0] += 1
        }
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            kinds["thread \(name.map { $0.dropLast().description } ?? "gone")", default: 0] += 1
        }
        return kinds.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }

    /// The most memory that the process has had in use at once, since the last call of this function, in kilobytes.
    static func peakKilobytes() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return lines.first { $0.hasPrefix("VmHWM:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) kB, \(allocatedKilobytes) of them allocated"
    }
}
