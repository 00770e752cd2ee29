import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The sessions of an engine over URLSession", .timeLimit(.minutes(10)))
struct SessionChannelsTests {
    @Test("Hosts with different pins share no session, and so no connection")
    func pins() throws {
        let keys = [Data(repeating: 1, count: 32), Data(repeating: 2, count: 32)].map { $0.base64EncodedString() }
        let pins = try keys.map { try TransferSecurity.PublicKeyPin("sha256/\($0)") }
        let channels = SessionChannels(
            .ephemeral, TransferSecurity(pinsByHost: ["a.example": [pins[0]], "b.example": [pins[1]]]))
        let hosts = ["c.example", "a.example", "b.example", "d.example", "A.example."]
        let numbers = try hosts.map { host -> ObjectIdentifier? in
            let session = channels.channel(for: try url("https://\(host)/")).session
            return channels.channel(for: try url("https://\(host)/other")).session === session
                ? ObjectIdentifier(session) : nil
        }
        #expect(!numbers.contains(nil) && numbers[0] == numbers[3] && numbers[1] == numbers[4])
        #expect(Set(numbers).count == 3)
        channels.finishTasksAndInvalidate()
    }

    @Test(
        "An international host has the session of its pins, however it is written",
        arguments: ["bücher.example", "xn--bcher-kva.example"],
        ["https://Bücher.example/", "https://B%C3%BCcher.example/", "https://xn--bcher-kva.example/"])
    func internationalHost(key: String, address: String) throws {
        let pin = try TransferSecurity.PublicKeyPin("sha256/\(Data(repeating: 1, count: 32).base64EncodedString())")
        let channels = SessionChannels(.ephemeral, TransferSecurity(pinsByHost: [key: [pin]]))
        let session = channels.channel(for: try url("https://\(key)/")).session
        #expect(channels.channel(for: try url(address)).session === session)
        #expect(channels.channel(for: try url("https://other.example/")).session !== session)
        channels.finishTasksAndInvalidate()
    }
}
