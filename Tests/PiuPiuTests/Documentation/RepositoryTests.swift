import Foundation
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
}
