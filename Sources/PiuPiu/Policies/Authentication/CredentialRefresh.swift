/// Whether this task works for a credential refresh: its requests must not wait behind those that need it.
package enum CredentialRefresh {
    /// True during a refresh, also in tasks that it starts.
    @TaskLocal package static var isCurrent = false
}
