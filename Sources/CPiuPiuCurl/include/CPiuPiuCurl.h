// What PiuPiu uses of libcurl: a loop that waits for the network, and transfers on it.
//
// FoundationNetworking brings libcurl along, so nothing has to be installed, and nothing linked. The names and numbers are
// those of libcurl's public interface (https://curl.se/libcurl/c/), which has kept them since 2006. But for piu_wake all
// of it is to be called on one thread for each loop.
#ifndef CPIUPIUCURL_H
#define CPIUPIUCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// MARK: The loop

/// What wakes a loop from any thread, or -1; its maker closes it.
int piu_wake_new(void);
void piu_wake(int wake);
void piu_wake_close(int wake);

/// Keeps the application's signals, and SIGPIPE above all, from the thread that is to run a loop.
void piu_block_signals(void);
/// NULL without memory or descriptors.
piu_loop *_Nullable piu_loop_new(int wake, long idle_connections);
void piu_loop_free(piu_loop *_Nonnull loop);
/// Waits for the network, for piu_wake, or for so many ms (-1: for ever), and does what there is to do.
void piu_loop_turn(piu_loop *_Nonnull loop, int milliseconds);
/// The context of a transfer that is over, and its result; NULL if there is none.
void *_Nullable piu_loop_next_done(piu_loop *_Nonnull loop, int *_Nonnull result);

// MARK: A transfer

/// What a transfer calls, on the loop's thread and inside of piu_loop_turn and piu_transfer_pause alone.
typedef struct {
    /// A line of a head, or of trailers. Another count than its own ends the transfer.
    size_t (*_Nonnull header)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// A part of the body. Another count ends the transfer, PIU_WRITE_PAUSE brings it again later.
    size_t (*_Nonnull body)(char *_Nonnull bytes, size_t one, size_t count, void *_Nonnull context);
    /// Asks for a part of the request's body; 0 is its end. PIU_READ_PAUSE, PIU_READ_ABORT.
    size_t (*_Nonnull read)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);
    /// Asks to begin the request's body again. PIU_SEEK_OK, PIU_SEEK_FAIL.
    int (*_Nonnull seek)(void *_Nonnull context, int64_t offset, int origin);
} piu_callbacks;

enum {
    PIU_WRITE_PAUSE = 0x10000001, PIU_READ_ABORT = 0x10000000, PIU_READ_PAUSE = 0x10000001,
    PIU_PAUSE_RECEIVE = 1, PIU_PAUSE_SEND = 4,
    PIU_SEEK_OK = 0, PIU_SEEK_FAIL = 1,
};

/// Options of a transfer: CURLOPT_ and their names.
enum {
    PIU_NOBODY = 44, PIU_UPLOAD = 46, PIU_FRESH_CONNECT = 74, PIU_BUFFERSIZE = 98, PIU_PIPEWAIT = 237, PIU_UPLOAD_BUFFERSIZE = 280,
    PIU_URL = 10002, PIU_CUSTOMREQUEST = 10036,
};

/// Facts about a transfer: CURLINFO_ and their names.
enum { PIU_OS_ERRNO = 0x200000 + 25, PIU_NAMELOOKUP_TIME_T = 0x600000 + 51 };

/// Results: CURLE_ and their names.
enum {
    PIU_OK = 0, PIU_UNSUPPORTED_PROTOCOL = 1, PIU_URL_MALFORMAT = 3, PIU_COULDNT_RESOLVE_PROXY = 5,
    PIU_COULDNT_RESOLVE_HOST = 6, PIU_COULDNT_CONNECT = 7, PIU_WEIRD_SERVER_REPLY = 8, PIU_HTTP2 = 16,
    PIU_PARTIAL_FILE = 18, PIU_WRITE_ERROR = 23, PIU_OPERATION_TIMEDOUT = 28,
    PIU_SSL_CONNECT_ERROR = 35, PIU_ABORTED_BY_CALLBACK = 42, PIU_BAD_FUNCTION_ARGUMENT = 43,
    PIU_GOT_NOTHING = 52, PIU_SSL_ENGINE_NOTFOUND = 53, PIU_SSL_ENGINE_SETFAILED = 54, PIU_SEND_ERROR = 55,
    PIU_RECV_ERROR = 56, PIU_SSL_CERTPROBLEM = 58, PIU_SSL_CIPHER = 59, PIU_PEER_FAILED_VERIFICATION = 60,
    PIU_BAD_CONTENT_ENCODING = 61, PIU_FILESIZE_EXCEEDED = 63, PIU_SEND_FAIL_REWIND = 65,
    PIU_SSL_CACERT_BADFILE = 77, PIU_SSL_SHUTDOWN_FAILED = 80, PIU_SSL_CRL_BADFILE = 82,
    PIU_SSL_ISSUER_ERROR = 83, PIU_SSL_PINNEDPUBKEYNOTMATCH = 90, PIU_SSL_INVALIDCERTSTATUS = 91,
    PIU_HTTP2_STREAM = 92, PIU_SSL_CLIENTCERT = 98, PIU_TOO_LARGE = 100,
};

/// A transfer that can be sent once. `may_repeat`: whether libcurl may send it again on a new connection where one that
/// was used before turns out to be closed. NULL without memory.
piu_transfer *_Nullable piu_transfer_new(
    piu_loop *_Nonnull loop, const piu_callbacks *_Nonnull callbacks, void *_Nonnull context, bool may_repeat);
/// Takes the transfer off its loop and frees it: it calls back no more.
void piu_transfer_free(piu_transfer *_Nonnull transfer);
/// Sets an option; returns a result.
int piu_transfer_set_number(piu_transfer *_Nonnull transfer, int option, long value);
int piu_transfer_set_text(piu_transfer *_Nonnull transfer, int option, const char *_Nullable value);
/// Sets the length of the request's body; -1 if it is not known.
int piu_transfer_set_length(piu_transfer *_Nonnull transfer, int64_t length);
/// Adds a header line; false without memory.
bool piu_transfer_add_header(piu_transfer *_Nonnull transfer, const char *_Nonnull line);
/// Puts the transfer on its loop; returns 0, or what is wrong.
int piu_transfer_start(piu_transfer *_Nonnull transfer);
/// Holds up these directions, and lets the others go on.
void piu_transfer_pause(piu_transfer *_Nonnull transfer, int directions);
/// Whether to free the transfer now would wait for a name server.
bool piu_transfer_is_resolving(piu_transfer *_Nonnull transfer);
/// Whether no descriptor was left for a connection.
bool piu_transfer_is_starved(piu_transfer *_Nonnull transfer);
/// Lets the transfer fail as soon as it would open a connection.
void piu_transfer_abandon(piu_transfer *_Nonnull transfer);
long piu_transfer_number(piu_transfer *_Nonnull transfer, int info);
/// What went wrong, in words; maybe empty.
const char *_Nonnull piu_transfer_message(piu_transfer *_Nonnull transfer);

#endif
