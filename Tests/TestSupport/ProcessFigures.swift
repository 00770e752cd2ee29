import Foundation
import TestProcess

/// The resources of this process, as Linux counts them.
package struct ProcessFigures: CustomStringConvertible {
    package let descriptors: Int
    package let threads: Int
    package let residentKilobytes: Int
    /// The allocated part of the heap, which keeps other resident memory for later. 0 if it isn't known.
    package let allocatedKilobytes: Int

    package static func now() throws -> ProcessFigures {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return ProcessFigures(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count,
            residentKilobytes: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4,
            allocatedKilobytes: test_process_allocated_bytes() >> 10)
    }

    /// The number of descriptors and threads of each kind, for the message of a failure.
    package static func kinds() throws -> String {
        var kinds: [String: Int] = [:]
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // The descriptor of the listing itself is closed.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            kinds[target.map { $0.prefix { $0 != ":" }.description } ?? "gone", default: 0] += 1
        }
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            kinds["thread \(name.map { $0.dropLast().description } ?? "gone")", default: 0] += 1
        }
        return kinds.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }

    /// The peak of resident memory since the last call of this function, in kilobytes.
    package static func peakKilobytes() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return lines.first { $0.hasPrefix("VmHWM:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    package var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) kB, \(allocatedKilobytes) of them allocated"
    }
}
