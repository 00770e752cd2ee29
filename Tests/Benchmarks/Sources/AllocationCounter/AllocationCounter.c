#include "AllocationCounter.h"

#include <stdlib.h>

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// Per thread, so that other threads don't count, and nothing needs to be atomic.
static _Thread_local bool is_counting;
static _Thread_local struct allocation_counts counts;

static void *counted(void *block, size_t size) {
    if (is_counting && block != NULL) {
        counts.requested_bytes += size;
        counts.usable_bytes += (ptrdiff_t)malloc_usable_size(block);
        counts.allocations += 1;
    }
    return block;
}

static void count_free(void *block) {
    if (is_counting && block != NULL) {
        counts.usable_bytes -= (ptrdiff_t)malloc_usable_size(block);
        counts.frees += 1;
    }
}

void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size), count * size); }

void *realloc(void *block, size_t size) {
    count_free(block);
    return counted(__libc_realloc(block, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size), size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *block = counted(__libc_memalign(alignment, size), size);
    if (block == NULL) return ENOMEM;
    *result = block;
    return 0;
}

void free(void *block) {
    count_free(block);
    __libc_free(block);
}

bool allocation_counter_is_available(void) { return true; }

void allocation_counter_start(void) {
    counts = (struct allocation_counts){0};
    is_counting = true;
}

struct allocation_counts allocation_counter_stop(void) {
    is_counting = false;
    return counts;
}

ptrdiff_t allocation_counter_live_bytes(void) {
    struct mallinfo2 information = mallinfo2();
    return (ptrdiff_t)(information.uordblks + information.hblkhd);
}

#else

bool allocation_counter_is_available(void) { return false; }

void allocation_counter_start(void) {}

struct allocation_counts allocation_counter_stop(void) { return (struct allocation_counts){0}; }

ptrdiff_t allocation_counter_live_bytes(void) { return 0; }

#endif
