/// What a transform that has neither the method of this version nor that of PiuPiu 1.4 ends with; never leaves the
/// library.
struct MissingTransformMethod: Error {}
