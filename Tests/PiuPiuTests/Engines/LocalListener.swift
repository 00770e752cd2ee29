#if canImport(FoundationNetworking)
    import Foundation
    import Glibc
    import Testing

    /// A socket that listens on a free port of 127.0.0.1, for tests that play the server byte by byte.
    final class LocalListener: Sendable {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address: sockaddr_in

        init(backlog: Int32) throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try #require(descriptor >= 0 && Self.call(bind, descriptor, address) == 0)
            try #require(listen(descriptor, backlog) == 0)
            let isNamed = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            try #require(isNamed == 0)
            self.address = address
        }

        deinit { close(descriptor) }

        /// The next connection. It blocks its thread until there is one.
        func connection() -> LocalConnection { LocalConnection(acceptedBy: descriptor) }

        /// Refuses further connections.
        func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        var url: URL? { URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") }

        /// Calls `bind` or `connect`.
        static func call(
            _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
            _ address: sockaddr_in
        ) -> Int32 {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    /// The server's end of a connection, closed when it is released.
    final class LocalConnection: Sendable {
        private let descriptor: Int32

        /// Waits for the next connection of a listening socket.
        init(acceptedBy listener: Int32) {
            descriptor = accept(listener, nil, nil)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        deinit { close(descriptor) }

        /// Sends a short text.
        func write(_ text: String) {
            _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }

        /// Sends a few bytes.
        func write(_ bytes: Data) {
            _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }

        /// Makes its close a reset.
        func resetOnClose() {
            var option = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        /// Waits for that many bytes, and drops them.
        func drop(_ count: Int) {
            var bytes = [UInt8](repeating: 0, count: 65_536), left = count
            while left > 0 {
                let received = recv(descriptor, &bytes, min(left, bytes.count), 0)
                guard received > 0 else { return }
                left -= received
            }
        }

        /// Waits for the head of a request, and returns it; it is shorter if the client closes the connection.
        func readHead() -> String {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }
    }
#endif
