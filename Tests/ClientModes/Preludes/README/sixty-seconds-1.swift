// nonisolated: Post, User, dispatcher, post, user

// snippet
