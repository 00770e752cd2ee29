import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The socket calls that the server needs. A socket is its descriptor, and its opener closes it.
enum Socket {
    /// How an attempt to accept a connection ended.
    enum Acceptance {
        case accepted(Int32)
        case none
        /// No descriptor is left, or no memory: to be tried again later.
        case exhausted
    }

    /// A socket that listens on a free port of 127.0.0.1, without blocking, and its port.
    static func listen(backlog: Int32) throws(LoopbackServerError) -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, POSIX.stream, 0)
        guard listener >= 0 else { throw POSIX.failure(of: "socket") }
        do throws(LoopbackServerError) {
            POSIX.closeOnExec(listener)
            set(SOL_SOCKET, SO_REUSEADDR, on: listener)
            let port = try bindToFreePort(listener)
            // This function shadows the system's, hence the function outside.
            guard startListening(listener, backlog) == 0 else { throw POSIX.failure(of: "listen") }
            POSIX.setBlocking(false, listener)
            return (listener, port)
        } catch {
            POSIX.closeDescriptor(listener)
            throw error
        }
    }

    /// A socket that holds a free port of 127.0.0.1 and doesn't listen there, and the port.
    static func holdPort() throws(LoopbackServerError) -> (socket: Int32, port: Int) {
        let holder = socket(AF_INET, POSIX.stream, 0)
        guard holder >= 0 else { throw POSIX.failure(of: "socket") }
        do throws(LoopbackServerError) {
            POSIX.closeOnExec(holder)
            return (holder, try bindToFreePort(holder))
        } catch {
            POSIX.closeDescriptor(holder)
            throw error
        }
    }

    static func accept(from listener: Int32) -> Acceptance {
        while true {
            let socket = acceptConnection(listener)
            if socket >= 0 {
                prepare(socket)
                return .accepted(socket)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .none
            }
        }
    }

    /// Sends everything, or returns false when the client is gone.
    static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let sent = sendBytes(socket, part.baseAddress, part.count, POSIX.sendFlags)
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Sends what there is room for, without waiting: 0 when there is none, `nil` when the client is gone.
    static func sendSome(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int? {
        while true {
            let sent = sendBytes(socket, bytes.baseAddress, bytes.count, POSIX.sendFlags | POSIX.dontWait)
            if sent >= 0 { return sent }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: return nil
            }
        }
    }

    /// Waits for bytes; 0 means that the client has finished or is gone.
    static func receive(into buffer: UnsafeMutableRawBufferPointer, from socket: Int32) -> Int {
        while true {
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Ends the socket's traffic in both directions, which wakes threads that block on it. It stays open.
    static func interrupt(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Tells the client that nothing more comes.
    static func finishSending(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
    }

    /// Makes the next close a reset.
    static func resetOnClose(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private static func prepare(_ socket: Int32) {
        POSIX.closeOnExec(socket)
        // Darwin hands the listener's flags down; Linux doesn't, and there the call would be wasted.
        #if canImport(Darwin)
            POSIX.setBlocking(true, socket)
            set(SOL_SOCKET, SO_NOSIGPIPE, on: socket)
        #endif
        set(Int32(IPPROTO_TCP), TCP_NODELAY, on: socket)
    }

    private static func set(_ level: Int32, _ name: Int32, on socket: Int32) {
        var on: Int32 = 1
        _ = setsockopt(socket, level, name, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bindToFreePort(_ listener: Int32) throws(LoopbackServerError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard bound == 0 else { throw POSIX.failure(of: "bind") }
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        guard named == 0 else { throw POSIX.failure(of: "getsockname") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

// Outside the enumeration, whose own functions would hide the system's functions of the same names.

private func startListening(_ socket: Int32, _ backlog: Int32) -> Int32 {
    listen(socket, backlog)
}

private func acceptConnection(_ listener: Int32) -> Int32 {
    accept(listener, nil, nil)
}

private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}
