#include "TestProcess.h"

#if defined(__linux__)
#include <malloc.h>
#endif
#include <stdlib.h>

// Swift Testing starts all tests of a run at once. With more than a thousand on two cores, minutes may pass between two
// steps of a test, and the time limits of its requests with them. Swift Testing reads this variable before the first
// test.
__attribute__((constructor)) static void limitTestsAtOnce(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "64", 0);
}

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
long test_process_allocated_bytes(void) {
    struct mallinfo2 heap = mallinfo2();
    return (long)(heap.uordblks + heap.hblkhd);
}
#else
long test_process_allocated_bytes(void) { return 0; }
#endif
