/// The one rule for secrets, by name: of a header, of an item of a query, a form or a fragment, of a member of JSON.
///
/// Names are compared by their letters and digits alone, without regard to case: `X_Api_Key` is `x-apikey`.
package enum SecretName {
    /// The name in the form for comparison.
    static func key(_ name: some StringProtocol) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter(\.isLetterOrDigit)))
    }

    /// The names by which an item counts: its own, and the last one in brackets or after a dot, such as `cvc` of
    /// `card[cvc]`. An index is no name: `card[pin][0]` counts as `pin`.
    static func names(of item: String) -> [String] {
        let parts = item.utf8.split { "[].".utf8.contains($0) }
        guard parts.count > 1, let last = parts.last(where: { !$0.isPlainNumber }) else { return [item] }
        return [item, String(Substring(last))]
    }

    /// Whether the value of this name usually is a secret.
    ///
    /// - Parameter isNumber: whether it is known to be a whole number, not a text of digits: that of `tokens` only
    ///   counts them.
    package static func isSecret(_ name: String, isNumber: Bool = false) -> Bool {
        let key = key(name)
        if secretNames.contains(key) || secretParts.contains(where: key.contains) { return true }
        if isNumber, key.hasSuffix("tokens") { return false }
        if secretEndings.contains(where: key.hasSuffix) { return !harmlessEndings.contains(where: key.hasSuffix) }
        // A custom header, such as X-Code.
        let lowercased = name.lowercased()
        return (lowercased.hasPrefix("x-") || lowercased.hasPrefix("x_"))
            && secretNames.contains(Self.key(key.dropFirst()))
    }

    /// Names that are compared as a whole: they are too short, or too common as a part of others.
    private static let secretNames: Set<String> = [
        "auth", "authenticationinfo", "bearer", "code", "codeverifier", "cookie2", "cvc", "cvv", "devicecode", "dpop",
        "jwt", "key", "oauthverifier", "pass", "pin", "pincode", "proxyauthenticationinfo", "pwd", "samlresponse",
        "sas", "session", "setcookie2", "sid", "sig", "usercode",
    ]

    private static let secretParts = ["password", "passwd", "passphrase"]

    private static let secretEndings = [
        "accesscode", "accesskey", "accountkey", "apikey", "appcheck", "appkey", "applicationkey", "assertion",
        "authcode",
        "authentication", "authkey", "authorization", "authorizationcode", "clientkey", "cookie", "credential",
        "credentials",
        "customerkey", "encryptionkey", "functionskey", "idtokenhint", "insertkey", "jwt", "licensekey", "masterkey",
        "mfacode", "onetimecode", "otp",
        "otpcode", "passcode", "privatekey", "recoverycode", "secret", "secretkey", "secrets", "securitycode",
        "sessid", "sessionid", "sessionkey", "sharedkey", "signature", "signingkey", "smscode", "subscriptionkey",
        "token", "tokens", "verificationcode",
    ]

    /// Tokens of paging and synchronisation, which distinguish requests, and numbers of tokens, also in words.
    private static let harmlessEndings = [
        "pagetoken", "nexttoken", "continuationtoken", "synctoken", "changetoken", "maxtokens", "prompttokens",
        "completiontokens", "inputtokens", "outputtokens", "totaltokens", "thinkingtokens", "reasoningtokens",
        "cachedtokens", "resettokens",
    ]
}

extension Collection<UInt8> {
    /// Whether these are digits alone.
    var isPlainNumber: Bool {
        !isEmpty && allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case "a"..."z", "0"..."9": true
        default: value > 0x7F && properties.isAlphabetic
        }
    }
}
