#pragma once

/// The allocated bytes of the heap; 0 where that isn't known.
long test_process_allocated_bytes(void);

/// Makes each `flock` of this process fail with this error from now on, as on a volume without locks. Returns whether
/// that is possible here.
_Bool test_process_refuse_locks(int error);

/// Forks a child that does nothing, for at most a minute, and holds all descriptors. Returns its identifier; negative if
/// there is none.
int test_process_fork(void);
