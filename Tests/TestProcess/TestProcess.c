#include "TestProcess.h"

#if defined(__linux__)
#include <malloc.h>
#include <signal.h>
#endif
#include <stdlib.h>

#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/seccomp.h>)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

_Bool test_process_refuse_locks(int error) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof steps[0], steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
#else
_Bool test_process_refuse_locks(int error) { return 0; }
#endif

// Swift Testing reads from the process of an exit test on a thread of the pool until that process ends, beyond all time
// limits. One that hangs would take the whole run with it.
__attribute__((constructor)) static void limitExitTest(void) {
    if (getenv("SWT_EXIT_TEST_ID") != NULL) alarm(540);
}

#if defined(__linux__)
// OPENSSL_INIT_NO_ATEXIT. Engines over libcurl ask for it, too, but here a `URLSession` may be first: then OpenSSL's handler
// would run at the exit beside the threads of sessions that are still busy.
int OPENSSL_init_crypto(unsigned long long options, const void *settings) __attribute__((weak));
__attribute__((constructor)) static void keepOpenSSL(void) {
    if (OPENSSL_init_crypto) OPENSSL_init_crypto(0x80000, NULL);
}
#endif

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

#if defined(__linux__)
int test_process_fork(void) {
    int child = fork();
    if (child != 0) return child;
    // The threads of libdispatch block signals.
    sigset_t none;
    sigemptyset(&none), sigprocmask(SIG_SETMASK, &none, NULL), alarm(60);
    for (;;) pause();
}
#else
int test_process_fork(void) { return -1; }
#endif
