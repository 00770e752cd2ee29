/// Futures as children of a throwing group; the child tasks return the futures' values.
extension ThrowingTaskGroup {
    /// Adds a child task that starts and awaits the future.
    ///
    /// ```swift
    /// let titles = try await withThrowingTaskGroup(of: String.self) { group in
    ///     group.addFutures((1...3).map { id in post(id).then(\.data.title) })
    ///     var titles: [String] = []
    ///     for try await title in group { titles.append(title) }
    ///     return titles
    /// }
    /// ```
    ///
    /// The child task, and so the future's work, has the priority and the task-local values of the task that adds it
    /// (contract rule INHERIT). It fails with the future's error, or with `CancellationError` if the future is
    /// cancelled; as in any throwing group, this cancels the siblings once the group's body rethrows it. Cancelling the
    /// group cancels the future, unless somebody else is interested in it (GROUPS, DOWN, SHARED); in an already
    /// cancelled group the future is not started.
    ///
    /// - Parameters:
    ///   - future: what the child awaits; it starts when the child task does.
    ///   - name: a name for the child task, for debuggers.
    ///   - priority: the priority of the child task; `nil` for that of the group's task.
    @inlinable
    public mutating func addFuture(
        _ future: ResponseFuture<ChildTaskResult>, name: String? = nil, priority: TaskPriority? = nil
    ) {
        let future = HandedOver(future)
        addTask(name: name, priority: priority) { try await future.take().value }
    }

    /// Adds a child task for each future; see ``addFuture(_:name:priority:)``.
    ///
    /// All of them run at once: for a limit see `valuesInCompletionOrder(limit:)`.
    @inlinable
    public mutating func addFutures(
        _ futures: some Sequence<ResponseFuture<ChildTaskResult>>, priority: TaskPriority? = nil
    ) {
        for future in futures { addFuture(future, priority: priority) }
    }

    /// Adds a child task that starts and awaits the future, unless the group has been cancelled.
    ///
    /// - Returns: whether the child was added. Otherwise see ``addFuture(_:name:priority:)``.
    @inlinable
    public mutating func addFutureUnlessCancelled(
        _ future: ResponseFuture<ChildTaskResult>, name: String? = nil, priority: TaskPriority? = nil
    ) -> Bool {
        let future = HandedOver(future)
        return addTaskUnlessCancelled(name: name, priority: priority) { try await future.take().value }
    }
}
