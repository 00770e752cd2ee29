/// What the command line asks for.
enum Options: Equatable {
    case run(filters: [String], Settings)
    case help

    static var usage: String {
        """
        USAGE: swift run --package-path Tests/Benchmarks --configuration release Benchmarks
                   [scenario filter …] [--samples N] [--quick]

        Measures PiuPiu beside swift-nio, OpenCombine, an actor for every link, the bare language, and clients of HTTP,
        and prints Markdown tables: the medians of time and of processor time for each contender, their ratios to those
        of a named peer, and for PiuPiu the target. CPU is the user and system time of the process, all threads together.

        The contenders of a scenario take turns, sample by sample, so that what the machine does meanwhile hits all
        alike; ratios hold, absolute numbers don't. Each sample is a loop of about \(Settings.sampleMilliseconds) ms, \
        after a warm-up. Every
        result is checked. "On its loop" means that the whole loop of a sample runs on the event loop's own thread.

        Scenarios named many-… put ever more callbacks, branches or awaiters on one future, and show what each of them
        costs; if that grows too fast, the largest numbers are left out. In those named …-single one thing is done at a
        time, which mostly measures how threads are woken; their namesakes do many at the same time.

        Scenarios named http-… compare clients of HTTP: PiuPiu, bare URLSession and async-http-client, over a server in
        a process of its own.

        ARGUMENTS:
          scenario filter   Runs only the scenarios whose name contains one of the filters:
                            \(Scenarios.names(perLine: 4).joined(separator: "\n                    "))

        OPTIONS:
          --samples N       Samples of each contender (default \(Settings.standard.samples)).
          --quick           Tiny counts: shows that all contenders run and are right; the numbers mean nothing.
          --help, -h        Show this text.

        EXIT CODES: 0 all were measured · 1 a contender failed or gave a wrong result · 2 wrong usage
        """
    }

    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var filters: [String] = []
        var settings = Settings.standard
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--quick":
                settings.isQuick = true
            case "--samples":
                guard let text = rest.popFirst() else { throw .missingValue(argument) }
                guard let samples = Int(text), samples > 0 else { throw .invalidCount(text) }
                settings.samples = samples
            case _ where argument.hasPrefix("-"):
                throw .unknownArgument(argument)
            default:
                guard Scenarios.names.contains(where: { $0.contains(argument) }) else {
                    throw .unknownScenario(argument)
                }
                filters.append(argument)
            }
        }
        self = .run(filters: filters, settings)
    }
}

/// A command line that makes no sense.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownArgument(String)
    case unknownScenario(String)
    case missingValue(String)
    case invalidCount(String)

    var description: String {
        switch self {
        case .unknownArgument(let argument): "There is no option '\(argument)'."
        case .unknownScenario(let filter): "There is no scenario whose name contains '\(filter)'."
        case .missingValue(let option): "\(option) needs a value."
        case .invalidCount(let text): "'\(text)' is not a number of samples: 1 or more."
        }
    }
}
