#pragma once

/// What is allocated of the heap, in bytes; 0 where that isn't known.
long test_process_allocated_bytes(void);
