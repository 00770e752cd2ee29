// The module below belongs to the same product: see `Exports.swift` of PiuPiu.
@_exported public import PiuPiuHTTP
