import Foundation

/// Compares PiuPiu with other futures and with the bare language, in one run of one process.
@main
enum BenchmarkProgram {
    static func main() async {
        do {
            switch try Options(arguments: Array(CommandLine.arguments.dropFirst())) {
            case .help:
                write(Options.usage)
            case .run(let filters, let settings):
                try await run(Scenarios.matching(filters), with: settings)
            }
        } catch let error as UsageError {
            complain("\(error)\nTry --help.")
            exit(2)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    @concurrent
    private static func run(_ scenarios: [any Scenario], with settings: Settings) async throws {
        write(MachineDescription.line)
        for scenario in scenarios {
            write("\n" + (try await scenario.table(with: settings)).markdown)
        }
    }

    // Straight to the descriptor: a measured table is shown even if the next one crashes.
    private static func write(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
