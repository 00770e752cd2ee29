/// Futures of any type of value as children of a throwing group that keeps no results.
extension ThrowingDiscardingTaskGroup {
    /// Adds a child task that starts the future, awaits it and discards its value.
    ///
    /// ```swift
    /// try await withThrowingDiscardingTaskGroup { group in
    ///     group.addFuture(upload)
    ///     group.addFuture(report)
    /// }
    /// ```
    ///
    /// The first failure cancels the siblings at once and is thrown by the group; a cancelled future fails with
    /// `CancellationError`. The child task, and so the future's work, has the priority and the task-local values of the
    /// task that adds it (contract rule INHERIT). Cancelling the group cancels the future, unless somebody else is
    /// interested in it (GROUPS, DOWN, SHARED); in an already cancelled group the future is not started.
    ///
    /// - Parameters:
    ///   - future: what the child awaits; it starts when the child task does.
    ///   - name: a name for the child task, for debuggers.
    ///   - priority: the priority of the child task; `nil` for that of the group's task.
    @inlinable
    public mutating func addFuture<Success>(
        _ future: ResponseFuture<Success>, name: String? = nil, priority: TaskPriority? = nil
    ) {
        let future = HandedOver(future)
        addTask(name: name, priority: priority) { _ = try await future.take().value }
    }

    /// Adds a child task for each future; see ``addFuture(_:name:priority:)``.
    @inlinable
    public mutating func addFutures<Success>(
        _ futures: some Sequence<ResponseFuture<Success>>, priority: TaskPriority? = nil
    ) {
        for future in futures { addFuture(future, priority: priority) }
    }

    /// Adds a child task that starts the future, awaits it and discards its value, unless the group has been cancelled.
    ///
    /// - Returns: whether the child was added. Otherwise see ``addFuture(_:name:priority:)``.
    @inlinable
    public mutating func addFutureUnlessCancelled<Success>(
        _ future: ResponseFuture<Success>, name: String? = nil, priority: TaskPriority? = nil
    ) -> Bool {
        let future = HandedOver(future)
        return addTaskUnlessCancelled(name: name, priority: priority) { _ = try await future.take().value }
    }
}
