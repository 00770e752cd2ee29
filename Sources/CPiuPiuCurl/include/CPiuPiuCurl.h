// What PiuPiu uses of libcurl: a loop that waits for the network, and transfers on it.
//
// FoundationNetworking brings libcurl along, so nothing has to be installed, and nothing linked. The names and numbers are
// those of libcurl's public interface (https://curl.se/libcurl/c/), which has kept them since 2006. All of it is
// to be called on one thread for each loop.
#ifndef CPIUPIUCURL_H
#define CPIUPIUCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <sys/eventfd.h>
int memfd_create(const char *_Nonnull name, unsigned flags);  // that of the system, which Swift's module leaves out
#endif

typedef struct piu_loop piu_loop;
typedef struct piu_transfer piu_transfer;

/// Prepares libcurl, once. Returns NULL, or what is wrong: there is none, or one that is too old.
const char *_Nullable piu_load(void);
/// "libcurl/8.5.0 OpenSSL/3.0.13 …"
const char *_Nonnull piu_version_text(void);
/// 0x080500
unsigned piu_version(void);
/// What libcurl says of a result.
const char *_Nonnull piu_result_text(int result);
/// The file of certificate authorities that libcurl was built to look for; NULL for none, or before 7.70.
const char *_Nullable piu_authorities(void);

// MARK: The loop

/// `wake`: an eventfd, to which any thread may write; its maker closes it. `limit`: connections have descriptors below it.
/// NULL without memory or descriptors.
piu_loop *_Nullable piu_loop_new(int wake, int limit, long idle_connections);
void piu_loop_free(piu_loop *_Nonnull loop);
/// Waits for the network, for its wake, or for so many ms (-1: for ever), and does what there is to do.
void piu_loop_turn(piu_loop *_Nonnull loop, int milliseconds);
/// The context of a transfer that is over, and its result; NULL if there is none.
void *_Nullable piu_loop_next_done(piu_loop *_Nonnull loop, int *_Nonnull result);

// MARK: A transfer

/// What a transfer calls, on the loop's thread and inside of piu_loop_turn and piu_transfer_pause alone.
typedef struct {
    /// A line of a head, or of trailers. Another count than its own ends the transfer.
    size_t (*_Nonnull header)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// A part of the body. Another count ends the transfer, CURL_WRITEFUNC_PAUSE brings it again later.
    size_t (*_Nonnull body)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// Asks for a part of the request's body; 0 is its end. CURL_READFUNC_PAUSE, CURL_READFUNC_ABORT.
    size_t (*_Nonnull read)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);
    /// Asks to begin the request's body again. CURL_SEEKFUNC_OK, CURL_SEEKFUNC_FAIL.
    int (*_Nonnull seek)(void *_Nonnull context, int64_t offset, int origin);
} piu_callbacks;

/// A transfer that can be sent once. `may_repeat`: whether libcurl may send it again on a new connection where one that
/// was used before turns out to be closed. NULL without memory.
piu_transfer *_Nullable piu_transfer_new(
    piu_loop *_Nonnull loop, const piu_callbacks *_Nonnull callbacks, void *_Nonnull context, bool may_repeat);
/// Takes the transfer off its loop and frees it: it calls back no more.
void piu_transfer_free(piu_transfer *_Nonnull transfer);
/// Sets an option, of the type long or curl_off_t; returns a result.
int piu_transfer_set_number(piu_transfer *_Nonnull transfer, int option, int64_t value);
/// Sets an option of text, which is copied; returns a result.
int piu_transfer_set_text(piu_transfer *_Nonnull transfer, int option, const char *_Nullable value);
/// Adds a header line; false without memory.
bool piu_transfer_add_header(piu_transfer *_Nonnull transfer, const char *_Nonnull line);
/// Puts the transfer on its loop; returns 0, or what is wrong.
int piu_transfer_start(piu_transfer *_Nonnull transfer);
/// Holds up these directions, and lets the others go on.
void piu_transfer_pause(piu_transfer *_Nonnull transfer, int directions);
/// Whether no descriptor was left for a connection.
bool piu_transfer_is_starved(piu_transfer *_Nonnull transfer);
/// Lets the transfer fail as soon as it would open a connection.
void piu_transfer_abandon(piu_transfer *_Nonnull transfer);
/// A fact about the transfer, of the type long or curl_off_t; 0 if libcurl doesn't know it.
int64_t piu_transfer_number(piu_transfer *_Nonnull transfer, int info);
/// What went wrong, in words; maybe empty.
const char *_Nonnull piu_transfer_message(piu_transfer *_Nonnull transfer);

#endif
