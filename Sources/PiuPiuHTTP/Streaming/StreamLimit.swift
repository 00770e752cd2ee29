/// How much of a stream is held in memory while a line or an event is unfinished.
package enum StreamLimit {
    /// 16 MiB: far more than a line or an event has, far less than a phone's memory.
    package static let defaultBytes = 16 * 1024 * 1024
}
