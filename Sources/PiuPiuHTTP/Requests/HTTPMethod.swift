/// The method of an HTTP request: the methods of HTTP itself (RFC 9110, section 9) and of the IANA registry.
///
/// ```swift
/// var request = URLRequest(url: url, method: .post)
/// ```
///
/// `*` and `PRI`, which the registry reserves, are left out. For any other method, set `URLRequest.httpMethod` to its
/// name.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// Requests the options of the resource.
    case options = "OPTIONS"
    /// Requests the resource.
    case get = "GET"
    /// Requests the head of the response to a GET.
    case head = "HEAD"
    /// Passes the body to the resource, to process it in its own way.
    case post = "POST"
    /// Replaces the resource with the body.
    case put = "PUT"
    /// Applies the changes in the body to the resource (RFC 5789).
    case patch = "PATCH"
    /// Removes the resource.
    case delete = "DELETE"
    /// Requests the request itself, as it arrived.
    case trace = "TRACE"
    /// Asks a proxy for a tunnel.
    case connect = "CONNECT"

    /// Changes the access rights of the resource (RFC 3744).
    case acl = "ACL"
    /// Puts a collection under baseline control (RFC 3253).
    case baselineControl = "BASELINE-CONTROL"
    /// Gives the resource a further address (RFC 5842).
    case bind = "BIND"
    /// Makes a version of a checked-out resource (RFC 3253).
    case checkIn = "CHECKIN"
    /// Opens a version-controlled resource for changes (RFC 3253).
    case checkOut = "CHECKOUT"
    /// Copies the resource (RFC 4918).
    case copy = "COPY"
    /// Changes the labels of a version (RFC 3253).
    case label = "LABEL"
    /// Relates the resource to another (RFC 2068).
    case link = "LINK"
    /// Locks the resource against changes by others (RFC 4918).
    case lock = "LOCK"
    /// Merges the changes of other versions (RFC 3253).
    case merge = "MERGE"
    /// Makes an activity (RFC 3253).
    case makeActivity = "MKACTIVITY"
    /// Makes a calendar (RFC 4791).
    case makeCalendar = "MKCALENDAR"
    /// Makes a collection (RFC 4918).
    case makeCollection = "MKCOL"
    /// Makes a reference that redirects (RFC 4437).
    case makeRedirectReference = "MKREDIRECTREF"
    /// Makes a workspace (RFC 3253).
    case makeWorkspace = "MKWORKSPACE"
    /// Moves the resource (RFC 4918).
    case move = "MOVE"
    /// Changes the order of a collection (RFC 3648).
    case orderPatch = "ORDERPATCH"
    /// Requests properties of the resource (RFC 4918).
    case propFind = "PROPFIND"
    /// Changes properties of the resource (RFC 4918).
    case propPatch = "PROPPATCH"
    /// Sends the query in the body, safely, as a GET with a body would.
    case query = "QUERY"
    /// Moves an address of a resource (RFC 5842).
    case rebind = "REBIND"
    /// Requests a report on the resource (RFC 3253).
    case report = "REPORT"
    /// Searches for resources (RFC 5323).
    case search = "SEARCH"
    /// Removes an address of a resource (RFC 5842).
    case unbind = "UNBIND"
    /// Drops the changes of a checked-out resource (RFC 3253).
    case unCheckOut = "UNCHECKOUT"
    /// Ends a relation to another resource (RFC 2068).
    case unlink = "UNLINK"
    /// Removes the lock of the resource (RFC 4918).
    case unlock = "UNLOCK"
    /// Sets a resource to one of its versions (RFC 3253).
    case update = "UPDATE"
    /// Changes a reference that redirects (RFC 4437).
    case updateRedirectReference = "UPDATEREDIRECTREF"
    /// Puts a resource under version control (RFC 3253).
    case versionControl = "VERSION-CONTROL"
}

extension HTTPMethod {
    /// Whether sending a request twice has the same effect as sending it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }
}
