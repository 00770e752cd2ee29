#include "TestsAtOnce.h"

#include <stdlib.h>

// Swift Testing starts all tests of a run at once. With more than a thousand, on a machine with two cores, minutes may
// pass between two steps of one, and time limits of requests with them. It reads this variable before the first test.
__attribute__((constructor)) static void limitTestsAtOnce(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "64", 0);
}
