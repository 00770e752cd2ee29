#pragma once

/// The allocated bytes of the heap; 0 where that isn't known.
long test_process_allocated_bytes(void);
