#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread with a small stack that can be joined, which `Thread` can't: only a joined thread is known to be gone.
struct Worker: Sendable {
    /// `pthread_t` is a pointer on some platforms, and not `Sendable` there; its bits are.
    private let bits: UInt

    init(stackSize: Int, _ body: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        // Allocated, as the structure's initializer belongs to a module that is private on Linux.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { throw .system(call: "pthread_attr_init", code: ENOMEM) }
        defer { pthread_attr_destroy(attributes) }
        _ = pthread_attr_setstacksize(attributes, stackSize)
        // The thread takes over the only reference, and releases it with its last line.
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, attributes, { Work.run($0) }, work.toOpaque())
            bits = UInt(bitPattern: thread)
        #elseif canImport(Glibc)
            var thread = pthread_t()
            let code = pthread_create(&thread, attributes, { Work.run($0) }, work.toOpaque())
            bits = thread
        #else
            var thread = pthread_self()
            let code = pthread_create(&thread, attributes, { Work.run($0) }, work.toOpaque())
            bits = UInt(bitPattern: thread)
        #endif
        guard code == 0 else {
            work.release()
            throw .system(call: "pthread_create", code: code)
        }
    }

    /// Waits until the thread is gone. From the thread itself it can only be detached.
    func join() {
        #if canImport(Glibc)
            let thread = bits
        #else
            guard let thread = pthread_t(bitPattern: bits) else { return }
        #endif
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}

/// The work of a thread.
private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
    }
}
