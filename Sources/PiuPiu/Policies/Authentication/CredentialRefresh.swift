/// Whether what runs is the refresh of a credential, for what stands below: a refresh is never behind those who wait for
/// it.
package enum CredentialRefresh {
    /// Whether this task works for a refresh, as do the requests that it starts.
/// Whether the work of this task is to get a new credential: its requests wait behind nobody who waits for that.
package enum CredentialRefresh {
    /// Set for the time of a refresh, and found by whatever it starts.
    @TaskLocal package static var isCurrent = false
}
