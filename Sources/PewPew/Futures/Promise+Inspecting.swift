extension Promise {
    /// Shows the value or the failure before the callbacks get it, even if an operator replaces them.
    package func inspect(success: @escaping @MainActor (T) -> Void, failure: @escaping @MainActor (E) -> Void) {
        core.attach { callbacks in
            callbacks.inspection = { outcome in
                switch outcome {
                case .success(let value): success(value)
                case .failure(let value): failure(value)
                case .error: break
                }
            }
        }
    }
}
