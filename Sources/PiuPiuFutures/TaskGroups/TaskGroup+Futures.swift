/// Futures as children of a group that doesn't throw; the child tasks return the futures' results.
extension TaskGroup {
    /// Adds a child task that starts the future and returns its result.
    ///
    /// ```swift
    /// await withTaskGroup(of: Result<Image, any Error>.self) { group in
    ///     group.addFutures(images)
    ///     for await result in group { … }
    /// }
    /// ```
    ///
    /// A failure is a value: it cancels nothing. A cancelled future, or one in a cancelled group, gives a failure with
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
    ) where ChildTaskResult == Result<Success, any Error> {
        let future = HandedOver(future)
        addTask(name: name, priority: priority) { await future.take().result }
    }

    /// Adds a child task for each future; see ``addFuture(_:name:priority:)``.
    ///
    /// All of them run at once: for a limit see `resultsInCompletionOrder(limit:)`.
    @inlinable
    public mutating func addFutures<Success>(
        _ futures: some Sequence<ResponseFuture<Success>>, priority: TaskPriority? = nil
    ) where ChildTaskResult == Result<Success, any Error> {
        for future in futures { addFuture(future, priority: priority) }
    }

    /// Adds a child task that starts the future and returns its result, unless the group has been cancelled.
    ///
    /// - Returns: whether the child was added. Otherwise see ``addFuture(_:name:priority:)``.
    @inlinable
    public mutating func addFutureUnlessCancelled<Success>(
        _ future: ResponseFuture<Success>, name: String? = nil, priority: TaskPriority? = nil
    ) -> Bool where ChildTaskResult == Result<Success, any Error> {
        let future = HandedOver(future)
        return addTaskUnlessCancelled(name: name, priority: priority) { await future.take().result }
    }
}
