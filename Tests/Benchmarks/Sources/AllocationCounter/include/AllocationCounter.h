#pragma once

#include <stdbool.h>
#include <stddef.h>

/// What one thread has allocated between a start and a stop.
struct allocation_counts {
    /// The bytes asked for.
    size_t requested_bytes;
    /// The bytes that the allocator set aside, less those given back.
    ptrdiff_t usable_bytes;
    size_t allocations;
    size_t frees;
};

/// Whether allocations can be counted here: only where glibc's allocator can be interposed.
bool allocation_counter_is_available(void);

/// Begins to count what the calling thread allocates, from zero.
void allocation_counter_start(void);

/// Ends the counting of the calling thread, the one that started it.
struct allocation_counts allocation_counter_stop(void);

/// The bytes that the allocator has set aside for the whole process, and not got back; 0 where they can't be counted.
ptrdiff_t allocation_counter_live_bytes(void);
