// nonisolated: User

// snippet
