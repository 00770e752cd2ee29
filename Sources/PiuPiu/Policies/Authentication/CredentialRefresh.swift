/// Whether what runs is the refresh of a credential, for what stands below: a refresh is never behind those who wait for
/// it.
package enum CredentialRefresh {
    /// Whether this task works for a refresh, as do the requests that it starts.
    @TaskLocal package static var isCurrent = false
}
