#if defined(__linux__)
#define _GNU_SOURCE
#include "CPiuPiuCurl.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct CURL CURL; typedef struct CURLM CURLM; typedef struct CURLU CURLU; typedef struct curl_slist curl_slist;
typedef struct { int message; CURL *easy; union { void *whatever; int result; } data; } CURLMsg;
typedef struct {
    int age; const char *version; unsigned version_number; const char *host; int features; const char *tls; long tls_number;
    const char *zlib, *const *protocols, *ares; int ares_number; const char *idn; int iconv_number; const char *ssh;
    unsigned brotli_number; const char *brotli; unsigned http2_number; const char *http2, *quic, *authorities;
} curl_version_data;
typedef struct { int family, type, protocol; unsigned length; struct sockaddr address; } curl_address;

enum {
    FRESH_CONNECT = 74, FORBID_REUSE = 75, CONNECTTIMEOUT_MS = 156, PARSED_URL = 10282, PART_URL = 0, AS_IS = 16,
    WRITEDATA = 10001, URL = 10002, READDATA = 10009, ERRORBUFFER = 10010, HTTPHEADER = 10023, HEADERDATA = 10029,
    PRIVATE = 10103, OPENSOCKETDATA = 10164, SEEKDATA = 10168, CLOSESOCKETDATA = 10209, PREREQDATA = 10313,
    WRITEFUNCTION = 20011, READFUNCTION = 20012, HEADERFUNCTION = 20079, OPENSOCKETFUNCTION = 20163,
    SEEKFUNCTION = 20167, CLOSESOCKETFUNCTION = 20208, PREREQFUNCTION = 20312, OFF_T_OPTIONS = 30000,
    M_MAXCONNECTS = 6, M_SOCKETDATA = 10002, M_TIMERDATA = 10005, M_SOCKETFUNCTION = 20001, M_TIMERFUNCTION = 20004,
    INFO_PRIVATE = 0x100000 + 21, INFO_HTTP_VERSION = 0x200000 + 46, OFF_T_INFO = 0x600000,
    GLOBAL_ALL = 3, MESSAGE_DONE = 1, NO_SOCKET = -1, AGE_WITH_AUTHORITIES = 6, NO_ATEXIT = 0x80000, HTTP_2 = 3,
    IN = 1, OUT = 2, ERROR = 4, IDLE_WRITES = 32, RESERVE = 32, REST = 5, RETRY = 100, SILENCE = 900, PORTS = 65536,
};

// Weak: they are there when FoundationNetworking is loaded, and NULL if it has no libcurl.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
int curl_global_init(long), curl_easy_setopt(CURL *, int, ...), curl_easy_getinfo(CURL *, int, ...);
int curl_easy_pause(CURL *, int), curl_multi_cleanup(CURLM *), curl_multi_setopt(CURLM *, int, ...);
int curl_multi_add_handle(CURLM *, CURL *), curl_multi_remove_handle(CURLM *, CURL *);
int curl_multi_socket_action(CURLM *, int, int, int *), curl_url_set(CURLU *, int, const char *, unsigned);
const curl_version_data *curl_version_info(int);
const char *curl_version(void), *curl_easy_strerror(int); CURLU *curl_url(void);
CURL *curl_easy_init(void); CURLM *curl_multi_init(void); CURLMsg *curl_multi_info_read(CURLM *, int *);
curl_slist *curl_slist_append(curl_slist *, const char *); int OPENSSL_init_crypto(uint64_t, const void *);
void curl_easy_cleanup(CURL *), curl_slist_free_all(curl_slist *), curl_url_cleanup(CURLU *);
#pragma clang attribute pop

/// At the process's exit OpenSSL would clear up under the threads that use it. Only its first initialisation counts.
void piu_keep_openssl(void) { if (OPENSSL_init_crypto) OPENSSL_init_crypto(NO_ATEXIT, NULL); }

static const char *problem; static void load(void) {
    if (!curl_multi_socket_action || !curl_version_info) problem = "there is no libcurl in this process";
    else if (piu_version() < 0x074200) problem = "libcurl is older than 7.66";
    else if (curl_global_init(GLOBAL_ALL) != 0) problem = "libcurl can't be initialised";
}
const char *piu_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT; return pthread_once(&once, load), problem;
}
const char *piu_version_text(void) { return curl_version(); }
unsigned piu_version(void) { return curl_version_info ? curl_version_info(3)->version_number : 0; }
const char *piu_result_text(int result) { return curl_easy_strerror(result); }
const char *piu_authorities(void) {
    const curl_version_data *data = curl_version_info(AGE_WITH_AUTHORITIES);
    return data->age >= AGE_WITH_AUTHORITIES ? data->authorities : NULL;
}

/// From the highest one down, as the system gives the lowest: the free ones may lie anywhere.
bool piu_has_descriptors(int count) {
    struct rlimit limit; getrlimit(RLIMIT_NOFILE, &limit);
    int fd = limit.rlim_cur < INT32_MAX ? (int)limit.rlim_cur : INT32_MAX;
    for (count += RESERVE; count > 0 && fd > 0;) count -= fcntl(--fd, F_GETFD) < 0;
    return count <= 0;
}
bool piu_thread_start(void *(*run)(void *), void *context) {
    pthread_t thread; return pthread_create(&thread, NULL, run, context) == 0 && pthread_detach(thread) == 0;
}

/// The events that libcurl wants of a descriptor, and the registered ones. `writes`: how often in a row it could be
/// written, and no body was read for that. A resolver's, which libcurl opens itself, is no connection; HTTP/2 is shared.
/// `port`: the own port of a connection over IP; 0: unknown. `was_sent`: whether a request was sent on it. `heard`: when
/// something came, in ms. `is_silent`: whether a request has waited in vain since then.
typedef struct interest {
    uint8_t wanted, registered, writes; bool is_connection, is_shared, was_sent, is_silent; int port; int64_t heard;
} interest;

/// A URL that is parsed once for all requests to it: for each text libcurl parses it, and writes it anew.
typedef struct address { CURLU *parts; int users; char text[]; } address;
struct piu_transfer {
    piu_loop *loop; CURL *easy; address *address; curl_slist *headers; piu_callbacks callbacks; void *context; int64_t sent;
    int attempts, patience, port;  // the own port of its connection; 0: unknown, -1: it has none
    bool may_repeat, notes_repeats, is_started, is_abandoned, is_starved, is_elsewhere; char message[256];
    bool looks_up, has_address;  // whether libcurl looks for an address of a new connection; whether it has one
};

struct piu_loop {
    CURLM *multi; int epoll, wake, resting;
    int64_t deadline;  // when libcurl wants to be called, in ms; -1: not at all
    interest *interests; address *latest;  // by descriptor; that of the last request
    int capacity; int64_t retry_at;  // when to register again what the system has refused, in ms; 0: there is nothing
    bool has_read, knows_use; uint32_t transfers[PORTS];  // how many use a connection, by its own port; at 0 it is unknown
};

static int64_t now(void) {
    struct timespec time; return clock_gettime(CLOCK_MONOTONIC, &time), (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static interest *interest_in(piu_loop *loop, int fd) {
    if (fd < loop->capacity) return loop->interests + fd;
    int capacity = (fd | 63) + 1;
    interest *larger = realloc(loop->interests, (size_t)capacity * sizeof *larger);
    if (!larger) return NULL;
    memset(larger + loop->capacity, 0, (size_t)(capacity - loop->capacity) * sizeof *larger);
    return loop->interests = larger, loop->capacity = capacity, larger + fd;
}

static void enroll(piu_loop *loop, int fd, interest *interest) {
    if (interest->registered == interest->wanted) return;
    const unsigned in = interest->wanted & IN ? EPOLLIN : 0, out = interest->wanted & OUT ? EPOLLOUT : 0;
    struct epoll_event event = {.events = in | out, .data.fd = fd};
    int operation = !interest->wanted ? EPOLL_CTL_DEL : interest->registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(loop->epoll, operation, fd, &event) != 0 && operation != EPOLL_CTL_DEL) {
        if (!loop->retry_at) loop->retry_at = now() + RETRY;
    } else interest->registered = interest->wanted;
}

/// Registers what the system has refused before, for want of memory, or since the user has too many registrations.
static void catch_up(piu_loop *loop) {
    loop->retry_at = 0;
    for (int fd = 0; fd < loop->capacity; fd++)
        if (loop->interests[fd].wanted) enroll(loop, fd, loop->interests + fd);
}
static int own_port(int fd) {
    struct sockaddr_in6 own = {0}; socklen_t length = sizeof own;  // the port of IPv4 is at the same place
    bool is_known = getsockname(fd, (struct sockaddr *)&own, &length) == 0;
    return is_known && (own.sin6_family == AF_INET || own.sin6_family == AF_INET6) ? ntohs(own.sin6_port) : 0;
}

/// After an error from here libcurl would fail all transfers. What isn't registered is tried again; until then time limits
/// run. Memory can only be missing for a resolver's descriptor, at which libcurl looks from time to time by itself.
static int on_socket(CURL *easy, int fd, int what, void *context, void *unused) {
    (void)unused; piu_loop *loop = context; interest *interest = interest_in(loop, fd);
    if (!interest) return 0;
    const uint8_t before = interest->wanted | interest->registered;  // the system may have refused to register it
    long version = 0; interest->wanted = (uint8_t)(what & (IN | OUT));
    if (curl_easy_getinfo(easy, INFO_HTTP_VERSION, &version) == 0 && version >= HTTP_2) interest->is_shared = true;
    // libcurl closes a connection that it gives up while connecting without on_close.
    const bool is_over = !interest->wanted && before & OUT;
    if (is_over && (!interest->was_sent || own_port(fd) != interest->port))
        interest->is_connection = interest->was_sent = false, interest->port = 0;
    // An idle connection stays registered until something happens on it: the next request is likely to want it again.
    if (interest->wanted || is_over || !interest->is_connection) enroll(loop, fd, interest);
    return 0;
}

static int on_close(void *context, int fd) {
    piu_loop *loop = context; interest none = {0}, *own = fd < loop->capacity ? loop->interests + fd : &none;
    if (own->registered) epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);  // it stays while a forked child has a copy
    return *own = none, close(fd);
}
static int on_timer(CURLM *multi, long milliseconds, void *context) {
    return (void)multi, ((piu_loop *)context)->deadline = milliseconds < 0 ? -1 : now() + milliseconds, 0;
}

piu_loop *piu_loop_new(int wake, long idle_connections) {
    piu_loop *loop = calloc(1, sizeof *loop); pthread_setname_np(pthread_self(), "PiuPiu.curl");
    if (!loop) return NULL;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC), loop->wake = wake, loop->resting = loop->deadline = -1;
    loop->multi = curl_multi_init();
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = wake};  // so it need not be read
    if (!loop->multi || loop->epoll < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, wake, &event) != 0)
        return piu_loop_free(loop), NULL;
    curl_multi_setopt(loop->multi, M_MAXCONNECTS, idle_connections);
    curl_multi_setopt(loop->multi, M_SOCKETFUNCTION, on_socket), curl_multi_setopt(loop->multi, M_SOCKETDATA, loop);
    curl_multi_setopt(loop->multi, M_TIMERFUNCTION, on_timer), curl_multi_setopt(loop->multi, M_TIMERDATA, loop);
    return loop;
}

static void leave(address *url) { if (url && --url->users == 0) curl_url_cleanup(url->parts), free(url); }
void piu_loop_free(piu_loop *loop) {
    curl_multi_cleanup(loop->multi); if (loop->epoll >= 0) close(loop->epoll);
    leave(loop->latest), free(loop->interests), free(loop);
}

/// Whether a transfer uses the connection, even one that has paused; perhaps, before libcurl 7.80.
static bool is_used(piu_loop *loop, int port) {
    return !loop->knows_use || loop->transfers[port] > 0 || loop->transfers[0] > 0;
}

/// What arrives on an idle connection of HTTP/1 must not be taken for the next answer (RFC 9112, 9.2). libcurl sees that a
/// connection is of no use if it is closed and nothing is left to read. Returns whether it was so.
static bool discard_stray(const interest *interest, int fd) {
    if (interest->wanted || !interest->was_sent || interest->is_shared) return false;
    char bytes[4096];
    if (recv(fd, bytes, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN) return false;
    if (own_port(fd) != interest->port) return false;  // libcurl closed it without on_close
    for (shutdown(fd, SHUT_RDWR); recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0;) {}
    return true;
}

/// Discards a stray on the connection with this own port, which a request takes; then all, as libcurl gives up in the end.
/// Returns whether nothing can be sent on it any more: unknown if two have the port. A new connection has no strays.
/// `was_idle`: whether it is one of HTTP/1, and not new; perhaps, if it has no port, as over a Unix socket.
static bool discard_strays(piu_loop *loop, int port, bool *was_idle, bool *silent) {
    int connections = 0, own = NO_SOCKET;
    for (int fd = 0; port > 0 && fd < loop->capacity; fd++) {
        interest *interest = loop->interests + fd;
        if (!interest->port && interest->is_connection) interest->port = own_port(fd);
        if (interest->port != port) continue;
        interest->is_shared |= interest->was_sent && interest->wanted;  // HTTP/1 has one transfer at a time
        connections++, own = interest->was_sent ? fd : NO_SOCKET, interest->was_sent = true, *silent |= interest->is_silent;
    }
    *was_idle = port <= 0 || (own != NO_SOCKET && !loop->interests[own].is_shared);
    if (connections < 2 && (own == NO_SOCKET || !discard_stray(loop->interests + own, own))) return false;
    for (int fd = 0; fd < loop->capacity; fd++)
        if (!is_used(loop, loop->interests[fd].port)) discard_stray(loop->interests + fd, fd);
    return connections == 1;
}

/// libcurl may ask to write on HTTP/2 although the server allows no more, as 7.88 does. Then the loop must not spin.
static void rest(piu_loop *loop, int fd) {
    interest *interest = interest_in(loop, fd);
    if (!interest || loop->resting >= 0 || !(interest->wanted & OUT)) return;
    interest->writes = loop->has_read ? 0 : (uint8_t)(interest->writes + 1);
    if (interest->writes < IDLE_WRITES) return;
    interest->writes--, interest->wanted ^= OUT;
    enroll(loop, loop->resting = fd, interest), interest->wanted ^= OUT;
}
static void serve(piu_loop *loop, int fd, unsigned events) {
    interest *interest = interest_in(loop, fd);
    if (interest && events & EPOLLIN) interest->heard = now(), interest->is_silent = false;
    if (interest && !interest->wanted) {
        if (!is_used(loop, interest->port)) discard_stray(interest, fd);
        return enroll(loop, fd, interest);
    }
    int what = (events & EPOLLIN ? IN : 0) | (events & EPOLLOUT ? OUT : 0), running;
    if (events & (EPOLLERR | EPOLLHUP)) what |= ERROR;
    loop->has_read = false, curl_multi_socket_action(loop->multi, fd, what, &running);
    if (what == OUT) rest(loop, fd);
}

void piu_loop_turn(piu_loop *loop, int milliseconds) {
    const int64_t start = now();
    int64_t left = loop->deadline < 0 ? INT64_MAX : loop->deadline - start;
    if (loop->resting >= 0 && left > REST) left = REST;
    if (loop->retry_at && left > loop->retry_at - start) left = loop->retry_at - start;
    if (left < 0) left = 0;
    if (left < INT64_MAX && (milliseconds < 0 || left < milliseconds)) milliseconds = left > 60000 ? 60000 : (int)left;
    struct epoll_event events[256]; int count = epoll_wait(loop->epoll, events, 256, milliseconds);
    if (loop->resting >= 0) enroll(loop, loop->resting, loop->interests + loop->resting);
    loop->resting = -1;
    if (loop->retry_at && loop->retry_at <= now()) catch_up(loop);
    for (int i = 0; i < count; i++)
        if (events[i].data.fd != loop->wake) serve(loop, events[i].data.fd, events[i].events);
    piu_loop_begin(loop);
}
void piu_loop_begin(piu_loop *loop) {
    if (loop->deadline < 0 || loop->deadline > now()) return;
    int running = loop->deadline = -1;
    curl_multi_socket_action(loop->multi, NO_SOCKET, 0, &running);
}

static void use(piu_transfer *transfer, int port) {
    if (transfer->port >= 0) transfer->loop->transfers[transfer->port]--;
    if ((transfer->port = port) >= 0) transfer->loop->transfers[port]++;
}
void *piu_loop_next_done(piu_loop *loop, int *result) {
    int left = 0; piu_transfer *transfer = NULL;
    CURLMsg *message = curl_multi_info_read(loop->multi, &left);
    if (!message || message->message != MESSAGE_DONE) return NULL;
    *result = message->data.result;
    curl_easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
    return use(transfer, -1), transfer->context;  // others may take its connection before it is freed
}

static int on_open(void *context, int purpose, curl_address *address) {
    (void)purpose; piu_transfer *transfer = context;
    transfer->is_elsewhere = transfer->port >= 0 && *transfer->message;
    transfer->looks_up = false, transfer->has_address = true;
    if (transfer->is_abandoned) return NO_SOCKET;
    int fd = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol), patience = transfer->patience;
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);  // none on a Unix socket
    transfer->is_starved = fd < 0 ? errno == EMFILE || errno == ENFILE : !piu_has_descriptors(0);
    interest *interest = fd < 0 || transfer->is_starved ? NULL : interest_in(transfer->loop, fd);
    if (interest) *interest = (struct interest){.is_connection = true};
    else if (fd >= 0) close(fd);
    return interest ? fd : NO_SOCKET;
}
static size_t on_read(char *bytes, size_t size, size_t count, void *context) {
    piu_transfer *transfer = context; transfer->loop->has_read = true;
    return transfer->callbacks.read(bytes, size, count, transfer->context);
}

/// Called before the request is sent on a connection: 1 ends the transfer. When a reused connection is closed, libcurl would
/// send any request again, even one that isn't idempotent, up to five times; and 7.88 takes one with a stray, which is no
/// attempt. Then it takes a new connection: a server may close all idle ones at once, which not every version sees. A body
/// that was read in part, but not written, 7.88 would send without that part.
static int on_send(void *context, char *address, char *own, int port, int own_port) {
    (void)address, (void)own, (void)port; piu_transfer *transfer = context; const bool is_repeat = transfer->port >= 0;
    use(transfer, -1), transfer->loop->knows_use = true, transfer->has_address = false;
    bool was_idle, is_silent = false; bool is_discarded = discard_strays(transfer->loop, own_port, &was_idle, &is_silent);
    use(transfer, own_port > 0 && own_port < PORTS ? own_port : 0), transfer->sent = now();
    if (is_silent && transfer->attempts == 0) return curl_easy_setopt(transfer->easy, FORBID_REUSE, 1L), 1;
    if (is_discarded || (was_idle && transfer->may_repeat)) curl_easy_setopt(transfer->easy, FRESH_CONNECT, 1L);
    const bool ends = transfer->is_abandoned || transfer->attempts > (transfer->may_repeat ? 1 : 0)
        || (is_repeat && transfer->callbacks.seek(transfer->context, 0, SEEK_SET) != 0);
    transfer->attempts += !is_discarded;
    return transfer->is_elsewhere = is_repeat && !ends && *transfer->message, ends;  // if it ends, the old text says why
}

piu_transfer *piu_transfer_new(piu_loop *loop, const piu_callbacks *callbacks) {
    piu_transfer *transfer = calloc(1, sizeof *transfer);
    CURL *easy = transfer ? curl_easy_init() : NULL;
    if (!easy) return free(transfer), NULL;
    *transfer = (piu_transfer){.loop = loop, .easy = easy, .callbacks = *callbacks, .port = -1};
    const struct { int option; const void *value; } settings[] = {
        {PRIVATE, transfer}, {ERRORBUFFER, transfer->message},
        {HEADERFUNCTION, callbacks->header}, {WRITEFUNCTION, callbacks->body},
        {READFUNCTION, on_read}, {READDATA, transfer}, {SEEKFUNCTION, callbacks->seek}, {PREREQFUNCTION, on_send},
        {OPENSOCKETFUNCTION, on_open}, {OPENSOCKETDATA, transfer}, {CLOSESOCKETFUNCTION, on_close}, {CLOSESOCKETDATA, loop},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        curl_easy_setopt(easy, settings[i].option, settings[i].value);
    transfer->notes_repeats = curl_easy_setopt(easy, PREREQDATA, transfer) == 0;
    return transfer;
}

void piu_transfer_free(piu_transfer *transfer) {
    if (transfer->is_started) curl_multi_remove_handle(transfer->loop->multi, transfer->easy);
    use(transfer, -1), curl_easy_cleanup(transfer->easy);
    leave(transfer->address), curl_slist_free_all(transfer->headers), free(transfer);
}

int piu_transfer_set_text(piu_transfer *transfer, int option, const char *value) {
    return curl_easy_setopt(transfer->easy, option, value);
}
int piu_transfer_set_number(piu_transfer *transfer, int option, int64_t value) {
    if (option < OFF_T_OPTIONS) return curl_easy_setopt(transfer->easy, option, (long)value);
    return curl_easy_setopt(transfer->easy, option, value);
}

/// NULL for what libcurl can't parse, and for an IPv6 address: of that it would lose the zone.
static address *parse(piu_loop *loop, const char *url) {
    if (loop->latest && strcmp(loop->latest->text, url) == 0) return loop->latest;
    const size_t size = strlen(url) + 1;
    address *new = strchr(url, '[') ? NULL : malloc(sizeof *new + size);
    if (new) new->parts = curl_url(), new->users = 1, memcpy(new->text, url, size);
    if (!new || !new->parts || curl_url_set(new->parts, PART_URL, url, AS_IS) != 0) return leave(new), NULL;
    return leave(loop->latest), loop->latest = new;
}
int piu_transfer_set_url(piu_transfer *transfer, const char *url) {
    if ((transfer->address = parse(transfer->loop, url)))
        transfer->address->users++, curl_easy_setopt(transfer->easy, PARSED_URL, transfer->address->parts);
    return curl_easy_setopt(transfer->easy, URL, url);
}

bool piu_transfer_add_header(piu_transfer *transfer, const char *line) {
    curl_slist *longer = curl_slist_append(transfer->headers, line); return longer && (transfer->headers = longer);
}

int piu_transfer_start(piu_transfer *transfer, void *context, bool may_repeat, int patience) {
    transfer->context = context, transfer->may_repeat = may_repeat, transfer->patience = patience;
    const int contexts[] = {HEADERDATA, WRITEDATA, SEEKDATA};
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) curl_easy_setopt(transfer->easy, contexts[i], context);
    // Before 7.80 a repeat can't be noticed. A fresh connection avoids it, as libcurl repeats only on reused ones. It is
    // closed afterwards, unless others use it: it would stay idle, as each of these requests takes another one.
    if (!transfer->notes_repeats && !may_repeat)
        curl_easy_setopt(transfer->easy, FRESH_CONNECT, 1L), curl_easy_setopt(transfer->easy, FORBID_REUSE, 1L);
    curl_easy_setopt(transfer->easy, HTTPHEADER, transfer->headers);
    int code = curl_multi_add_handle(transfer->loop->multi, transfer->easy); return transfer->is_started = code == 0, code;
}

void piu_transfer_pause(piu_transfer *transfer, int directions) { curl_easy_pause(transfer->easy, directions); }
void piu_transfer_begin_look_up(piu_transfer *transfer) { transfer->looks_up = !transfer->has_address; }
bool piu_transfer_looks_up(piu_transfer *transfer) { return transfer->looks_up; }
bool piu_transfer_is_starved(piu_transfer *transfer) { return transfer->is_starved; }
bool piu_transfer_was_sent(piu_transfer *transfer) { return transfer->attempts > 0; }
void piu_transfer_give_up(piu_transfer *transfer, bool has_timed_out) {
    const int64_t sent = transfer->sent, limit = now() - SILENCE, since = has_timed_out && sent < limit ? limit : sent;
    if (transfer->port <= 0 || (!has_timed_out && sent > limit)) return;
    for (int fd = 0; fd < transfer->loop->capacity; fd++) {
        interest *interest = transfer->loop->interests + fd;
        if (interest->port != transfer->port || interest->heard > since) continue;
        interest->is_silent = true, curl_easy_setopt(transfer->easy, FORBID_REUSE, 1L);  // unless others wait on it
    }
}
void piu_transfer_abandon(piu_transfer *transfer) {
    transfer->is_abandoned = true, curl_easy_setopt(transfer->easy, FRESH_CONNECT, 1L);
    // When it times out, libcurl waits for the name server, and the loop with it.
    curl_easy_setopt(transfer->easy, CONNECTTIMEOUT_MS, (long)INT32_MAX);
}
int64_t piu_transfer_number(piu_transfer *transfer, int info) {
    int64_t value = 0; long number = 0; const bool is_long = info < OFF_T_INFO;
    return curl_easy_getinfo(transfer->easy, info, is_long ? (void *)&number : &value), is_long ? number : value;
}

/// libcurl keeps the text of the first failure, also of one after which it took another connection.
const char *piu_transfer_message(piu_transfer *transfer) { return transfer->is_elsewhere ? "" : transfer->message; }
#endif
