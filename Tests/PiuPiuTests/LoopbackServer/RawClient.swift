import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A blocking socket to a loopback server: it shows the bytes on the wire, and survives anything the server does.
final class RawClient {
    struct Failure: Error, Equatable {
        let call: String
        let code: Int32
    }

    /// How the server has ended the connection.
    enum End: Equatable {
        case closed
        case reset
    }

    private let socket: Int32
    private var unread: [UInt8] = []

    init(port: Int) throws {
        #if canImport(Glibc)
            socket = makeSocket(AF_INET, Int32(SOCK_STREAM.rawValue))
        #else
            socket = makeSocket(AF_INET, SOCK_STREAM)
        #endif
        guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connectSocket(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit {
        closeSocket(socket)
    }

    func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    func send(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { sendBytes(socket, $0) }
            guard sent > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends a request with a `Host` and these header lines, and a `Content-Length` when there is a body.
    func request(_ method: String, _ target: String, headers: [String] = [], body: String = "") throws {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// A head and the body that its `Content-Length` announces, if any.
    func response(hasBody: Bool = true) throws -> RawResponse {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head.append(try byte()) }
        var response = RawResponse(head: String(decoding: head.dropLast(4), as: UTF8.self))
        if hasBody, let length = response.header("Content-Length").flatMap({ Int($0) }) {
            response.body = try bytes(length)
        }
        return response
    }

    func bytes(_ count: Int) throws -> Data {
        while unread.count < count { try receive() }
        defer { unread.removeFirst(count) }
        return Data(unread.prefix(count))
    }

    /// Everything up to the end of the connection, and how it ended.
    func rest() throws -> (data: Data, end: End) {
        var end = End.closed
        do {
            while true { try receive() }
        } catch let failure as Failure {
            guard failure.call == "end" || failure.code == ECONNRESET else { throw failure }
            if failure.code == ECONNRESET { end = .reset }
        }
        defer { unread = [] }
        return (Data(unread), end)
    }

    /// The descriptors of this process: with all other tests beside, there may be thousands.
    private static var openDescriptors: [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
        return (names ?? []).compactMap { Int32($0) }
    }

    /// A socket of this process. When it is closed, the next one may get its descriptor, but not its serial number,
    /// which Linux gives each socket.
    struct OpenSocket: Hashable {
        let descriptor: Int32
        let serialNumber: UInt64
    }

    /// This process's sockets at a server's port. Until its stop other tests have none there; afterwards they may.
    static func sockets(atLocalPort port: Int) -> Set<OpenSocket> {
        Set(
            openDescriptors.compactMap { descriptor in
                var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size), status = stat()
                let code = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &length)
                    }
                }
                guard code == 0, address.sin_family == sa_family_t(AF_INET),
                    Int(UInt16(bigEndian: address.sin_port)) == port, fstat(descriptor, &status) == 0
                else { return nil }
                return OpenSocket(descriptor: descriptor, serialNumber: UInt64(status.st_ino))
            })
    }

    private func byte() throws -> UInt8 {
        if unread.isEmpty { try receive() }
        return unread.removeFirst()
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        guard count > 0 else { throw Failure(call: "end", code: 0) }
        unread += buffer.prefix(count)
    }
}

/// A response as it came.
struct RawResponse {
    var head: String
    var body = Data()

    var lines: [String] { head.components(separatedBy: "\r\n") }
    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
    }

    func jsonArray() throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: body) as? [[String: Any]] ?? []
    }
}

// Outside the class, whose own methods would hide the system's functions of the same names.

private func makeSocket(_ family: Int32, _ type: Int32) -> Int32 { socket(family, type, 0) }

private func connectSocket(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(socket, address, length)
}

private func closeSocket(_ socket: Int32) { _ = close(socket) }

private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        send(socket, bytes.baseAddress, bytes.count, 0)
    #else
        send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
