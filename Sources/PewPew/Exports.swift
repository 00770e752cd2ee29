// What the aliases of this module stand for: so that `.get` and `.ok` need no import of their own where
// MemberImportVisibility is on. The other names of PiuPiu stay out of the way of those of this module.
@_exported public import enum PiuPiu.HTTPMethod
@_exported public import enum PiuPiu.StatusCode
@_exported public import enum PiuPiu.StatusCodeType
