// nonisolated: dispatcher, post, user

// snippet
