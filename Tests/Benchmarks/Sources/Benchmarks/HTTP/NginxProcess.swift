import Foundation
import LoopbackServer

/// nginx, where it is installed, with the documents of the HTTP scenarios: a server that leaves most of the machine to
/// the measured clients.
///
/// It ends with `stop()`, or with this process, as its standard input ends then.
final class NginxProcess {
    /// An unused port may be taken by the time nginx asks for it.
    private static let attempts = 5

    let baseURL: URL
    private let process: Process
    private let input: FileHandle
    /// Kept open: nginx would end with the first line that it can't write.
    private let log: FileHandle

    /// Whether nginx is installed.
    static var isInstalled: Bool { program != nil }

    private static let program: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/nginx" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - folder: where it keeps what it needs.
    ///   - documents: what it answers GET with, by path.
    ///   - post: a path, and the document that answers each POST of the same length.
    init(in folder: URL, documents: [String: Data], post: (path: String, document: String)) throws {
        guard let program = Self.program else { throw NoServer(reason: "nginx isn't installed") }
        let root = folder.appending(path: "documents")
        for (path, document) in documents {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try document.write(to: file)
        }
        for _ in 0..<Self.attempts {
            if let (process, input, log, baseURL) = try Self.start(program, in: folder, root: root, post: post) {
                self.process = process
                self.input = input
                self.log = log
                self.baseURL = baseURL
                return
            }
        }
        throw NoServer(reason: "nginx doesn't start")
    }

    /// Ends the server, and returns when it is gone.
    func stop() throws {
        try input.close()
        _ = try log.readToEnd()
        process.waitUntilExit()
    }

    /// Ends nginx when the standard input ends: this process has ended, or has closed it. Only nginx holds the log,
    /// which ends with it. Waiting for nginx wouldn't work: the shell inherits blocked signals, and would miss its end.
    private static let script = """
        "$0" -c "$1" 2>&1 &
        exec > /dev/null 2>&1
        read -r line
        kill $!
        """

    private static func start(
        _ program: String, in folder: URL, root: URL, post: (path: String, document: String)
    ) throws -> (Process, input: FileHandle, log: FileHandle, baseURL: URL)? {
        let (port, baseURL) = try unusedPort()
        let file = folder.appending(path: "nginx.conf")
        try configuration(port: port, folder: folder.path, root: root.path, post: post)
            .write(to: file, atomically: true, encoding: .utf8)
        let process = Process(), input = Pipe(), output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, program, file.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let log = output.fileHandleForReading
        var text = Data()
        while !String(decoding: text, as: UTF8.self).contains("start worker process ") {
            let part = log.availableData
            guard !part.isEmpty else {
                // The port was taken.
                try input.fileHandleForWriting.close()
                process.waitUntilExit()
                return nil
            }
            text.append(part)
        }
        return (process, input.fileHandleForWriting, log, baseURL)
    }

    private static func configuration(
        port: Int, folder: String, root: String, post: (path: String, document: String)
    ) -> String {
        """
        daemon off;
        worker_processes 1;
        pid \(folder)/nginx.pid;
        error_log stderr notice;
        events { worker_connections 4096; }
        http {
            access_log off;
            keepalive_requests 1000000000;
            default_type application/json;
            sendfile on;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                root \(root);
                location = /posts { try_files /posts.json =404; }
                location = /\(post.path) {
                    if ($content_length != \(post.document.utf8.count)) { return 400; }
                    return 200 '\(post.document)';
                }
            }
        }
        """
    }

    private static func unusedPort() throws -> (port: Int, baseURL: URL) {
        let server = try LoopbackServer.start()
        defer { server.stop() }
        return (server.port, server.baseURL)
    }
}
