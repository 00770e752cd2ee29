// The calls of contenders without a future. Not optimised, as the compiler would leave out calls without effects.

@inline(never) @_optimize(none)
func increment(_ value: Int) -> Int { value &+ 1 }

@inline(never) @_optimize(none) @concurrent
func one() async -> Int { 1 }

/// The same without leaving the caller's executor.
@inline(never) @_optimize(none)
func oneInPlace() async -> Int { 1 }

@inline(never) @_optimize(none) @concurrent
func incrementAsync(_ value: Int) async -> Int { value &+ 1 }
