import Foundation

/// What this process holds, as Linux counts it.
struct ProcessFigures: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let residentKilobytes: Int

    static func now() throws -> ProcessFigures {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return ProcessFigures(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count,
            residentKilobytes: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4)
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) kB" }
}
