// The types behind the aliases of this module: with them `.get` and `.ok` need no further import under
// MemberImportVisibility. The other names of PiuPiu stay out, so that they don't clash with those of this module.
@_exported public import enum PiuPiu.HTTPMethod
@_exported public import enum PiuPiu.StatusCode
@_exported public import enum PiuPiu.StatusCodeType
