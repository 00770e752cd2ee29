import Foundation
import TestSupport
import Testing

@Suite("The files of the repository", .timeLimit(.minutes(10)))
struct RepositoryTests {
    @Test("None is a symbolic link, as a checkout without links would not build")
    func symbolicLinks() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isSymbolicLinkKey])
        var count = 0
        while let file = files?.nextObject() as? URL {
            // Build products aren't part of the repository.
            if file.lastPathComponent.hasPrefix(".build") || file.lastPathComponent == ".git" {
                files?.skipDescendants()
                continue
            }
            count += 1
            let isLink = try file.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink
            #expect(isLink == false, "\(file.path())")
        }
        #expect(count > 1000)
    }

    @Test("Tests that start a process do so one at a time: two of them would block all others")
    func processes() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let names = FileManager.default.enumerator(atPath: tests.path(percentEncoded: false))?
            .compactMap { $0 as? String }
        var count = 0
        for name in names ?? [] where name.hasSuffix(".swift") {
            let text = String(decoding: try Data(contentsOf: tests.appending(path: name)), as: UTF8.self)
            // In two parts, so that this file has none.
            for test in text.components(separatedBy: "@Test") where test.contains("processExits" + "With:") {
                count += 1
                #expect(test.contains(".oneProcessAtATime"), "\(name)")
            }
        }
        #expect(count > 20)
    }

    @Test("One file reads parts of files: a loop of other reads keeps the whole file in memory on Apple platforms")
    func reads() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        let names = FileManager.default.enumerator(atPath: sources.path(percentEncoded: false))?
            .compactMap { $0 as? String }
        let reading = try (names ?? []).filter { name in
            guard name.hasSuffix(".swift") else { return false }
            return try Data(contentsOf: sources.appending(path: name)).range(of: Data("read(upToCount: ".utf8)) != nil
        }
        #expect(reading == ["PiuPiuBasics/FileHandle+Chunk.swift"])
    }
}
