/// Stands for the manifest's own, which belongs to another module.
struct Dependency {
    static func package(url: String, from version: String) -> Dependency { Dependency() }
}

func dependency() -> Dependency {
    // snippet
}
