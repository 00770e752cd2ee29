// The modules below belong to the same product: see `Exports.swift` of PiuPiu.
@_exported public import PiuPiuEngines
@_exported public import PiuPiuFutures
