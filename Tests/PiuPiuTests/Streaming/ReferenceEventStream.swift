import PiuPiu

/// The rules of the HTML standard, applied literally to the whole decoded text.
enum ReferenceEventStream {
    static func events(in bytes: [UInt8]) -> [ServerSentEvent] {
        var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var lines: [[Unicode.Scalar]] = [[]]
        for (index, scalar) in text.enumerated() {
            if scalar == "\n", index > 0, text[index - 1] == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append([])
            } else {
                lines[lines.count - 1].append(scalar)
            }
        }
        var events: [ServerSentEvent] = []
        var data = "", type = "", id = ""
        var retry: Duration?
        for line in lines.dropLast() {
            if line.isEmpty {
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    events.append(
                        ServerSentEvent(
                            event: type.isEmpty ? "message" : type, data: data, id: id.isEmpty ? nil : id,
                            retry: retry))
                }
                data = ""
                type = ""
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            var value = line[min(colon + 1, line.endIndex)...]
            if colon < line.endIndex, value.first == " " { value.removeFirst() }
            switch string(line[..<colon]) {
            case "event": type = string(value)
            case "data": data += string(value) + "\n"
            case "id" where !value.contains("\0"): id = string(value)
            case "retry" where !value.isEmpty && value.allSatisfy { ("0"..."9").contains($0) }:
                retry = .milliseconds(Int64(string(value)) ?? .max)
            default: break
            }
        }
        return events
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var string = ""
        string.unicodeScalars.append(contentsOf: scalars)
        return string
    }
}
