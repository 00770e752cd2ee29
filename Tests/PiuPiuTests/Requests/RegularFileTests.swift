import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Files that are sent", .timeLimit(.minutes(10)))
struct RegularFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("content")
        try Data("content".utf8).write(to: file)
    }

    @Test("Child processes don't inherit an open file")
    func isNotInherited() throws {
        let (handle, length) = try RegularFile.open(file)
        #expect(fcntl(handle.fileDescriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try length == 7 && handle.readToEnd() == Data("content".utf8))
    }

    @Test("A symbolic link leads to its file")
    func link() throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try RegularFile.open(link).file.readToEnd() == Data("content".utf8))
    }

    @Test("What is no file is refused at once, and a missing one says why", arguments: ["folder", "pipe", "missing"])
    func refused(name: String) throws {
        let url = folder.file(name)
        if name == "folder" { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
        if name == "pipe" { try #require(mkfifo(url.path(percentEncoded: false), 0o600) == 0) }
        let error = try #require(throws: TransferError.self) { try RegularFile.open(url) }
        #expect(error.kind == .fileNotFound && error.url == url)
        #expect((error.underlyingError as? POSIXError)?.code == (name == "missing" ? .ENOENT : nil))
    }
}
