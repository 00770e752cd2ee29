/// The method of an HTTP request: those of HTTP itself (RFC 9110, section 9), and the others of the IANA registry.
///
/// ```swift
/// var request = URLRequest(url: url, method: .post)
/// ```
///
/// `*` and `PRI`, which the registry reserves, are left out. For a method that isn't here, set
/// `URLRequest.httpMethod` to its name.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// Asks what can be done with the resource.
    case options = "OPTIONS"
    /// Asks for the resource.
    case get = "GET"
    /// Asks for the head that a GET would be answered with.
    case head = "HEAD"
    /// Hands the body to the resource, to process it as it sees fit.
    case post = "POST"
    /// Replaces the resource by the body.
    case put = "PUT"
    /// Changes the resource as the body says (RFC 5789).
    case patch = "PATCH"
    /// Removes the resource.
    case delete = "DELETE"
    /// Asks for the request itself, as it arrived.
    case trace = "TRACE"
    /// Asks a proxy for a tunnel.
    case connect = "CONNECT"

    /// Changes who may do what with the resource (RFC 3744).
    case acl = "ACL"
    /// Puts a collection under baseline control (RFC 3253).
    case baselineControl = "BASELINE-CONTROL"
    /// Gives the resource a further address (RFC 5842).
    case bind = "BIND"
    /// Makes a version of a checked-out resource (RFC 3253).
    case checkIn = "CHECKIN"
    /// Lets a version-controlled resource be changed (RFC 3253).
    case checkOut = "CHECKOUT"
    /// Copies the resource (RFC 4918).
    case copy = "COPY"
    /// Changes the labels of a version (RFC 3253).
    case label = "LABEL"
    /// Relates the resource to another (RFC 2068).
    case link = "LINK"
    /// Keeps others from changing the resource (RFC 4918).
    case lock = "LOCK"
    /// Takes the changes of other versions in (RFC 3253).
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
    /// Asks for properties of the resource (RFC 4918).
    case propFind = "PROPFIND"
    /// Changes properties of the resource (RFC 4918).
    case propPatch = "PROPPATCH"
    /// Asks what the body says, safely, as a GET with a body would.
    case query = "QUERY"
    /// Moves an address of a resource (RFC 5842).
    case rebind = "REBIND"
    /// Asks for a report on the resource (RFC 3253).
    case report = "REPORT"
    /// Searches for resources (RFC 5323).
    case search = "SEARCH"
    /// Removes an address of a resource (RFC 5842).
    case unbind = "UNBIND"
    /// Gives up the changes of a checked-out resource (RFC 3253).
    case unCheckOut = "UNCHECKOUT"
    /// Ends a relation to another resource (RFC 2068).
    case unlink = "UNLINK"
    /// Lets others change the resource again (RFC 4918).
    case unlock = "UNLOCK"
    /// Sets a resource to one of its versions (RFC 3253).
    case update = "UPDATE"
    /// Changes a reference that redirects (RFC 4437).
    case updateRedirectReference = "UPDATEREDIRECTREF"
    /// Puts a resource under version control (RFC 3253).
    case versionControl = "VERSION-CONTROL"
}
