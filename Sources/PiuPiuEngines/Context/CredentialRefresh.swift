/// Whether this task works for a credential refresh: its requests must not wait behind those that need it.
package enum CredentialRefresh {
    /// True during a refresh, also in tasks that it starts, until the refresh is over.
    package static var isCurrent: Bool { RefreshScope.isAnyCurrent }
}
