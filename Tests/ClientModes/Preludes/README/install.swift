/// Stands for the manifest's own, which belongs to another module.
struct Dependency {
    static func package(name: String, path: String) -> Dependency { Dependency() }
}

func dependency() -> Dependency {
    // snippet
}
