package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The sessions of an engine: one for each list of pins, made when it is needed.
///
/// On Apple platforms a connection of HTTP/2 may carry requests to several hosts of one certificate, whose key is
/// compared only when the connection is made. So hosts with different pins share no connection.
package final class SessionChannels: Sendable {
    /// A session, and its delegate, which knows the tasks by numbers that are unique in one session only.
    package struct Channel: Sendable {
        let delegate: SessionDelegate
        package let session: URLSession
    }

    private let configuration: URLSessionConfiguration
    private let security: TransferSecurity
    private let pins: PinnedHosts
    private let channels = Locked<[[String]: Channel]>([:])

    package init(_ configuration: URLSessionConfiguration, _ security: TransferSecurity) {
        self.configuration = configuration
        self.security = security
        pins = PinnedHosts(security)
    }

    /// The channel for requests to the host of this URL.
    package func channel(for url: URL?) -> Channel {
        let key = pins.pins(of: url?.host(percentEncoded: false) ?? "").map(\.base64)
        return channels.withLock { channels in
            if let channel = channels[key] { return channel }
            let delegate = URLSessionEngine.makeDelegate(security)
            let channel = Channel(delegate: delegate, session: delegate.makeSession(configuration))
            channels[key] = channel
            return channel
        }
    }

    /// Lets the tasks of all sessions end.
    package func finishTasksAndInvalidate() {
        for channel in channels.withLock({ Array($0.values) }) { channel.session.finishTasksAndInvalidate() }
    }
}
