/// Whether the work of this task is to get a new credential: its requests wait behind nobody who waits for that.
package enum CredentialRefresh {
    /// Set for the time of a refresh, and found by whatever it starts.
    @TaskLocal package static var isCurrent = false
}
