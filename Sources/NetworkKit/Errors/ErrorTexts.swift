import Foundation

/// The texts of the errors, by their keys.
enum ErrorTexts {
    static let reasons = [
        "InvalidURL": "The address of the request is not valid.",
        "MissingServerProvider": "The request has no server.",
        "InvalidObject": "The response could not be read.",
        "EmptyResponse": "The response was empty.",
        "BadRequest": "The server did not understand the request.",
        "Unauthorized": "The server wants to know who you are.",
        "Forbidden": "The server does not allow this.",
        "NotFound": "The server has nothing under this address.",
        "Conflict": "The request is in conflict with what the server has.",
        "UnprocessableEntity": "The server could not do anything with what was sent.",
        "InternalServerError": "The server had an error.",
        "ServiceUnavailable": "The server is not available.",
        "OtherClientError": "The server refused the request.",
        "OtherServerError": "The server failed.",
        "Unknown": "There was no valid response.",
    ]

    static let suggestions = [
        "InvalidURL": "Update the app, or contact support.",
        "MissingServerProvider": "Try again.",
        "InvalidObject": "Update the app, or contact support.",
        "EmptyResponse": "Try again later.",
        "BadRequest": "Update the app, or contact support.",
        "Unauthorized": "Sign in, and try again.",
        "Forbidden": "Sign in with an account that may do it.",
        "NotFound": "Refresh, and try again.",
        "Conflict": "Refresh, and try again.",
        "UnprocessableEntity": "Check what you entered, and try again.",
        "InternalServerError": "Try again later.",
        "ServiceUnavailable": "Try again later.",
        "OtherClientError": "Update the app, or contact support.",
        "OtherServerError": "Try again later.",
        "Unknown": "Check your connection, and try again.",
    ]

    static func text(forKey key: String, english: String?) -> String? {
        let text = Bundle.networkKit.localizedString(forKey: key, value: english, table: nil)
        // A key that is in no table comes back unchanged.
        return text == key ? english : text
    }
}
