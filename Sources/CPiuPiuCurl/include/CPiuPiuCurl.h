// The part of libcurl that PiuPiu uses: a loop that waits for the network, and transfers on it.
//
// FoundationNetworking brings libcurl along, so nothing has to be installed or linked. The names and numbers are those
// of libcurl's public interface (https://curl.se/libcurl/c/), which has kept them since 2006. Call all functions of a
// loop on one thread.
#ifndef CPIUPIUCURL_H
#define CPIUPIUCURL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <sys/eventfd.h>
int memfd_create(const char *_Nonnull name, unsigned flags);  // of the system; Swift's module leaves it out
#endif

typedef struct piu_loop piu_loop;
typedef struct piu_transfer piu_transfer;

/// Prepares libcurl, once. Returns NULL, or the problem: there is no libcurl, or it is too old.
const char *_Nullable piu_load(void);
/// "libcurl/8.5.0 OpenSSL/3.0.13 …"
const char *_Nonnull piu_version_text(void);
/// 0x080500; 0 without libcurl.
unsigned piu_version(void);
/// libcurl's text for a result.
const char *_Nonnull piu_result_text(int result);
/// The file of certificate authorities that libcurl was built to look for; NULL for none, or before 7.70.
const char *_Nullable piu_authorities(void);

// MARK: The loop

/// `wake`: an eventfd, to which any thread may write; the caller closes it. `limit`: the descriptors of connections are
/// lower. Returns NULL without memory or descriptors.
piu_loop *_Nullable piu_loop_new(int wake, int limit, long idle_connections);
void piu_loop_free(piu_loop *_Nonnull loop);
/// Waits for the network, for `wake`, or for `milliseconds` (-1: for ever), then handles the events.
void piu_loop_turn(piu_loop *_Nonnull loop, int milliseconds);
/// The context of a transfer that is over, and its result; NULL if there is none.
void *_Nullable piu_loop_next_done(piu_loop *_Nonnull loop, int *_Nonnull result);

// MARK: A transfer

/// The callbacks of a transfer: on the loop's thread, and only inside piu_loop_turn and piu_transfer_pause.
typedef struct {
    /// Gets a line of a head or of trailers. Returns its count; any other value ends the transfer.
    size_t (*_Nonnull header)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// Gets a part of the body. Returns its count, or CURL_WRITEFUNC_PAUSE to get it again later; any other value ends
    /// the transfer.
    size_t (*_Nonnull body)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// Writes a part of the request's body. Returns its size, 0 at the end, CURL_READFUNC_PAUSE or CURL_READFUNC_ABORT.
    size_t (*_Nonnull read)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);
    /// Begins the request's body again. Returns CURL_SEEKFUNC_OK or CURL_SEEKFUNC_FAIL.
    int (*_Nonnull seek)(void *_Nonnull context, int64_t offset, int origin);
} piu_callbacks;

/// A transfer that can be sent once. `may_repeat`: whether libcurl may send it again on a new connection if a reused
/// one turns out to be closed. Returns NULL without memory.
piu_transfer *_Nullable piu_transfer_new(
    piu_loop *_Nonnull loop, const piu_callbacks *_Nonnull callbacks, void *_Nonnull context, bool may_repeat);
/// Removes the transfer from its loop and frees it: it calls back no more.
void piu_transfer_free(piu_transfer *_Nonnull transfer);
/// Sets an option, of the type long or curl_off_t; returns a result.
int piu_transfer_set_number(piu_transfer *_Nonnull transfer, int option, int64_t value);
/// Sets an option of text, which is copied; returns a result.
int piu_transfer_set_text(piu_transfer *_Nonnull transfer, int option, const char *_Nullable value);
/// Adds a header line; false without memory.
bool piu_transfer_add_header(piu_transfer *_Nonnull transfer, const char *_Nonnull line);
/// Adds the transfer to its loop; returns 0, or an error.
int piu_transfer_start(piu_transfer *_Nonnull transfer);
/// Pauses these directions, and resumes the others.
void piu_transfer_pause(piu_transfer *_Nonnull transfer, int directions);
/// Whether no descriptor was left for a connection.
bool piu_transfer_is_starved(piu_transfer *_Nonnull transfer);
/// Whether the request, or a part of it, may have been sent; false before libcurl 7.80, which doesn't say so.
bool piu_transfer_was_sent(piu_transfer *_Nonnull transfer);
/// Makes the transfer fail as soon as it tries to open a connection.
void piu_transfer_abandon(piu_transfer *_Nonnull transfer);
/// A fact about the transfer, of the type long or curl_off_t; 0 if libcurl doesn't know it.
int64_t piu_transfer_number(piu_transfer *_Nonnull transfer, int info);
/// The error as text; may be empty.
const char *_Nonnull piu_transfer_message(piu_transfer *_Nonnull transfer);

#endif
