// The part of libcurl that PiuPiu uses: a loop that waits for the network, and transfers on it. FoundationNetworking
// brings libcurl along, so nothing has to be installed or linked. The names and numbers are those of libcurl's public
// interface (https://curl.se/libcurl/c/). Call all functions of a loop on one thread.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <sys/eventfd.h>
int memfd_create(const char *_Nonnull name, unsigned flags);  // of the system; Swift's module leaves it out
#endif
#pragma clang assume_nonnull begin
typedef struct piu_loop piu_loop; typedef struct piu_transfer piu_transfer;

void piu_keep_openssl(void);  // leaves OpenSSL usable until the process has ended; first of all
const char *_Nullable piu_load(void);  // prepares libcurl, once: NULL, or the problem, as there is none or an old one
const char *piu_version_text(void);  // "libcurl/8.5.0 OpenSSL/3.0.13 …"
unsigned piu_version(void);  // 0x080500; 0 without libcurl
const char *piu_result_text(int result);
const char *_Nullable piu_authorities(void);  // the file that libcurl was built to look for; NULL: none, or before 7.70
bool piu_thread_start(void *_Nullable (*_Nonnull run)(void *context), void *context);  // false: the system has no thread left
/// Whether so many descriptors are free beside those for others in the process: without one libdispatch ends it.
bool piu_has_descriptors(int count);
/// `wake`: an eventfd for any thread; the caller closes it. NULL: no descriptor or no memory is left.
piu_loop *_Nullable piu_loop_new(int wake, long idle_connections);
void piu_loop_free(piu_loop *loop);
void piu_loop_turn(piu_loop *loop, int milliseconds);  // waits for events, at most so long (-1: for ever); handles them
void piu_loop_begin(piu_loop *loop);  // sends new transfers, and does what else libcurl wants to do by now
void *_Nullable piu_loop_next_done(piu_loop *loop, int *result);  // the context of a transfer that is over; NULL: none

/// The callbacks of a transfer: on the loop's thread, only inside piu_loop_turn, piu_loop_begin and piu_transfer_pause.
typedef struct {
    /// Gets a line of a head or of trailers. Returns its count; any other value ends the transfer.
    size_t (*header)(char *bytes, size_t one, size_t count, void *context);
    /// Gets a part of the body. Returns its count, CURL_WRITEFUNC_PAUSE to get it again later, or ends the transfer.
    size_t (*body)(char *bytes, size_t one, size_t count, void *context);
    /// Writes a part of the request's body. Returns its size, 0 at the end, CURL_READFUNC_PAUSE or CURL_READFUNC_ABORT.
    size_t (*read)(char *bytes, size_t size, size_t count, void *context);
    /// Begins the request's body again. Returns CURL_SEEKFUNC_OK or CURL_SEEKFUNC_FAIL.
    int (*seek)(void *context, int64_t offset, int origin);
} piu_callbacks;

piu_transfer *_Nullable piu_transfer_new(piu_loop *loop, const piu_callbacks *callbacks);  // is sent once
void piu_transfer_free(piu_transfer *transfer);  // removes it from its loop, too: it calls back no more
/// Set an option: of the type long or curl_off_t, or of text, which is copied. Return a result.
int piu_transfer_set_number(piu_transfer *transfer, int option, int64_t value);
int piu_transfer_set_text(piu_transfer *transfer, int option, const char *_Nullable value);
int piu_transfer_set_url(piu_transfer *transfer, const char *url);  // once; its path is sent as it is. Returns a result
bool piu_transfer_add_header(piu_transfer *transfer, const char *line);  // false without memory
/// Sends it; `context` is that of its callbacks. `may_repeat`: whether libcurl may send it once more, on a new connection,
/// if a reused one is closed. `patience`: how many ms its connection may leave what was sent unconfirmed. Returns 0, or an
/// error.
int piu_transfer_start(piu_transfer *transfer, void *context, bool may_repeat, int patience);
void piu_transfer_pause(piu_transfer *transfer, int directions);  // pauses these directions, resumes the others
/// libcurl looks up a host from now on, until it has found an address to open a connection to. A proxy that it is connected
/// to may want the address of the host, too: that look-up doesn't count.
void piu_transfer_begin_look_up(piu_transfer *transfer);
bool piu_transfer_looks_up(piu_transfer *transfer);
bool piu_transfer_is_starved(piu_transfer *transfer);  // whether no descriptor was left for a connection
bool piu_transfer_was_sent(piu_transfer *transfer);  // whether a part of it may have been sent; unknown before 7.80: false
/// Before it is freed, as it has timed out, or as nobody has waited for it any longer than a second or so. If nothing has come
/// on its connection since it was sent, or before a timeout for a second, no other request is sent on that one until
/// something comes: it fails as aborted by a callback, unsent. The connection is closed once nobody uses it. Before libcurl
/// 7.80 it does nothing.
void piu_transfer_give_up(piu_transfer *transfer, bool has_timed_out);
void piu_transfer_abandon(piu_transfer *transfer);  // makes it fail as soon as it needs a connection, even if one is idle
int64_t piu_transfer_number(piu_transfer *transfer, int info);  // of the type long or curl_off_t; 0: unknown
const char *piu_transfer_message(piu_transfer *transfer);  // the error as text; may be empty
#pragma clang assume_nonnull end
