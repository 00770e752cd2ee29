#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("Dates that Python reads and writes", .timeLimit(.minutes(10)), .enabled(if: PythonDecoder.isPresent))
    struct TransformPythonTests {
        /// Takes `[[text, milliseconds], …]` and answers the milliseconds of each text, and a text of all milliseconds in
        /// some time zone. Its calendar is the Gregorian one throughout.
        private static let script = """
            from datetime import datetime, timedelta, timezone
            epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
            millisecond = timedelta(milliseconds=1)
            result = []
            for text, number in values:
                read = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
                zone = timezone(timedelta(minutes=number % 1439 - 719))
                written = (epoch + number * millisecond).astimezone(zone).isoformat()
                result.append([(read - epoch) // millisecond, written])
            """

        private struct Row: Codable {
            let text: String
            let milliseconds: Int64

            init(text: String, milliseconds: Int64) {
                self.text = text
                self.milliseconds = milliseconds
            }

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                milliseconds = try container.decode(Int64.self)
                text = try container.decode(String.self)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(text)
                try container.encode(milliseconds)
            }
        }

        @Test("Dates of the years 2 to 9998 mean the same to Python, in both directions")
        func dates() async throws {
            let seed = StreamBytes.seed(for: "Dates for Python")
            var generator = SeededGenerator(seed: seed)
            let transform = RFC3339DateTransform()
            let rows = try (0..<1000).map { _ in
                let milliseconds = Int64.random(in: -62_104_000_000_000...253_339_000_000_000, using: &generator)
                let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
                return Row(text: try transform.toJSON(date, codingPath: []), milliseconds: milliseconds)
            }
            let answers = try await PythonDecoder.run(Self.script, with: rows, as: [Row].self)
            #expect(answers.count == rows.count)
            for (row, answer) in zip(rows, answers) {
                #expect(answer.milliseconds == row.milliseconds, "seed \(seed): \(row.text)")
                let read = try transform.from(json: answer.text, codingPath: []).timeIntervalSince1970
                #expect(Int64((read * 1000).rounded()) == row.milliseconds, "seed \(seed): \(answer.text)")
            }
        }
    }
#endif
