/// The error of a transform that has neither the method of this version nor that of PiuPiu 1.4; never leaves the
/// library.
struct MissingTransformMethod: Error {}
