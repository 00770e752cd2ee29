package import Foundation
import PiuPiu

/// The recorded requests in groups, so that a request is compared with few of them.
///
/// The requests of a group are the same: whatever is asked for, all recordings of the group answer it, or none.
package struct ReplayIndex: Sendable {
    /// The recordings of the same request, by their places.
    struct Group: Sendable {
        let request: ReplayedRequest
        fileprivate(set) var places: [Int]
    }

    private struct Key: Hashable {
        let method: String
        let url: String
        let body: RecordedExchange.Body
        /// Of a multipart form.
        let boundary: String?

        init(_ request: TrafficRecording.Request) {
            method = request.method
            url = request.url.absoluteString
            body = request.body
            boundary = SecretFields.boundary(in: request.headers.value(ofHeader: "content-type"))
        }
    }

    /// In the order of their first recordings.
    private(set) var groups: [Group] = []

    /// The numbers of the groups, by the method, by the items of the query whose values were left out, and by the URL.
    private var numbers: [String: [Set<OmittedItem>: [String: [Int]]]] = [:]

    package init(_ exchanges: [TrafficRecording.Exchange]) {
        var known: [Key: Int] = [:]
        for (place, exchange) in exchanges.enumerated() {
            let key = Key(exchange.request)
            if let number = known[key] {
                groups[number].places.append(place)
                continue
            }
            known[key] = groups.count
            let omitted = RecordedPlaceholders.omissions(in: exchange.request.url)
            numbers[key.method, default: [:]][omitted, default: [:]][key.url, default: []].append(groups.count)
            groups.append(Group(request: ReplayedRequest(exchange.request), places: [place]))
        }
    }

    /// The numbers of the groups with a method and a URL, in order.
    ///
    /// - Parameter masked: the URL as it would have been recorded without the values of these items. It is called once
    ///   for each set of items that a recording has left out.
    package func groups(
        with method: String, _ url: URL, masked: (URL, _ omitted: Set<OmittedItem>) -> String
    ) -> [Int] {
        (numbers[method] ?? [:]).flatMap { omitted, numbers in numbers[masked(url, omitted)] ?? [] }.sorted()
    }

    /// The places of the recordings of some groups, in order.
    func places(of fitting: [Int]) -> [Int] {
        if fitting.count == 1 { return groups[fitting[0]].places }
        return fitting.flatMap { groups[$0].places }.sorted()
    }
}
