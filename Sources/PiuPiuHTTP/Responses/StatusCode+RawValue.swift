// Both directions are switches, not tables: they cost nothing at run time, and the compiler makes sure that a new case
// gets its number.
extension StatusCode: RawRepresentable {
    /// The status code with this number; never fails.
    ///
    /// A number without a case, including a negative one, is ``StatusCode/other(_:)``.
    public init(rawValue: Int) {
        switch rawValue {
        case 100: self = .continue
        case 101: self = .switchingProtocols
        case 102: self = .processing
        case 103: self = .earlyHints
        case 200: self = .ok
        case 201: self = .created
        case 202: self = .accepted
        case 203: self = .nonAuthoritativeInformation
        case 204: self = .noContent
        case 205: self = .resetContent
        case 206: self = .partialContent
        case 207: self = .multiStatus
        case 208: self = .alreadyReported
        case 226: self = .imUsed
        case 300: self = .multipleChoices
        case 301: self = .movedPermanently
        case 302: self = .found
        case 303: self = .seeOther
        case 304: self = .notModified
        case 305: self = .useProxy
        case 307: self = .temporaryRedirect
        case 308: self = .permanentRedirect
        case 400: self = .badRequest
        case 401: self = .unauthorized
        case 402: self = .paymentRequired
        case 403: self = .forbidden
        case 404: self = .notFound
        case 405: self = .methodNotAllowed
        case 406: self = .notAcceptable
        case 407: self = .proxyAuthenticationRequired
        case 408: self = .requestTimeout
        case 409: self = .conflict
        case 410: self = .gone
        case 411: self = .lengthRequired
        case 412: self = .preconditionFailed
        case 413: self = .contentTooLarge
        case 414: self = .uriTooLong
        case 415: self = .unsupportedMediaType
        case 416: self = .rangeNotSatisfiable
        case 417: self = .expectationFailed
        case 421: self = .misdirectedRequest
        case 422: self = .unprocessableEntity
        case 423: self = .locked
        case 424: self = .failedDependency
        case 425: self = .tooEarly
        case 426: self = .upgradeRequired
        case 428: self = .preconditionRequired
        case 429: self = .tooManyRequests
        case 431: self = .requestHeaderFieldsTooLarge
        case 451: self = .unavailableForLegalReasons
        case 500: self = .internalServerError
        case 501: self = .notImplemented
        case 502: self = .badGateway
        case 503: self = .serviceUnavailable
        case 504: self = .gatewayTimeout
        case 505: self = .httpVersionNotSupported
        case 506: self = .variantAlsoNegotiates
        case 507: self = .insufficientStorage
        case 508: self = .loopDetected
        case 510: self = .notExtended
        case 511: self = .networkAuthenticationRequired
        default: self = .other(rawValue)
        }
    }

    /// The number, as the server sent it: 404 for ``StatusCode/notFound``.
    public var rawValue: Int {
        switch self {
        case .continue: 100
        case .switchingProtocols: 101
        case .processing: 102
        case .earlyHints: 103
        case .ok: 200
        case .created: 201
        case .accepted: 202
        case .nonAuthoritativeInformation: 203
        case .noContent: 204
        case .resetContent: 205
        case .partialContent: 206
        case .multiStatus: 207
        case .alreadyReported: 208
        case .imUsed: 226
        case .multipleChoices: 300
        case .movedPermanently: 301
        case .found: 302
        case .seeOther: 303
        case .notModified: 304
        case .useProxy: 305
        case .temporaryRedirect: 307
        case .permanentRedirect: 308
        case .badRequest: 400
        case .unauthorized: 401
        case .paymentRequired: 402
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .proxyAuthenticationRequired: 407
        case .requestTimeout: 408
        case .conflict: 409
        case .gone: 410
        case .lengthRequired: 411
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .misdirectedRequest: 421
        case .unprocessableEntity: 422
        case .locked: 423
        case .failedDependency: 424
        case .tooEarly: 425
        case .upgradeRequired: 426
        case .preconditionRequired: 428
        case .tooManyRequests: 429
        case .requestHeaderFieldsTooLarge: 431
        case .unavailableForLegalReasons: 451
        case .internalServerError: 500
        case .notImplemented: 501
        case .badGateway: 502
        case .serviceUnavailable: 503
        case .gatewayTimeout: 504
        case .httpVersionNotSupported: 505
        case .variantAlsoNegotiates: 506
        case .insufficientStorage: 507
        case .loopDetected: 508
        case .notExtended: 510
        case .networkAuthenticationRequired: 511
        case .other(let rawValue): rawValue
        }
    }
}
