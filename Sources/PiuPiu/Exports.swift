// `import PiuPiu` is all that a program needs. There is no other way for a module to have what another one declares,
// and names qualified by it, such as `PiuPiu.ResponseFuture`, stay right.
@_exported public import PiuPiuDispatchers
