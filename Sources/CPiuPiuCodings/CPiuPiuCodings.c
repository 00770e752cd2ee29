#if defined(__linux__)
#include "CPiuPiuCodings.h"

#include <stdlib.h>

typedef struct {
    const uint8_t *next_in; unsigned avail_in; unsigned long total_in;
    uint8_t *next_out; unsigned avail_out; unsigned long total_out;
    const char *message; void *state, *allocate, *release, *context; int type; unsigned long checksum, reserved;
} z_stream;
typedef struct { const void *bytes; size_t size, position; } zstd_input;
typedef struct { void *bytes; size_t size, position; } zstd_output;

enum {
    Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, BROTLI_ERROR = 0, BROTLI_SUCCESS = 1,
    // The size of a window, and a wrapper: zlib's, none, gzip's.
    BITS_ZLIB = 15, BITS_RAW = -15, BITS_GZIP = 15 + 16,
    // 8 MiB: the largest window that a client has to support, and a server may use (RFC 9659). It is 128 MiB by default.
    ZSTD_WINDOW_LOG_MAX = 100, BITS_ZSTD = 23,
};

// Weak: NULL if libcurl was built without the library.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
int inflateInit2_(z_stream *, int, const char *, int);
int inflate(z_stream *, int);
int inflateReset(z_stream *);
int inflateEnd(z_stream *);
void *BrotliDecoderCreateInstance(void *, void *, void *);
int BrotliDecoderDecompressStream(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
void BrotliDecoderDestroyInstance(void *);
void *ZSTD_createDStream(void);
size_t ZSTD_decompressStream(void *, zstd_output *, zstd_input *);
size_t ZSTD_freeDStream(void *);
size_t ZSTD_DCtx_setParameter(void *, int, int);  // from 1.4 on
unsigned ZSTD_isError(size_t);
#pragma clang attribute pop

struct piu_decoder {
    piu_coding coding;
    bool has_ended;
    bool ignores_rest;  // something else is behind the end
    bool has_zlib;  // zlib was initialised
    z_stream zlib;
    void *other;  // the decoder of another library
};

bool piu_decoder_exists(piu_coding coding) {
    switch (coding) {
    case PIU_GZIP: case PIU_DEFLATE: return inflateInit2_ && inflate && inflateReset && inflateEnd;
    case PIU_BROTLI:
        return BrotliDecoderCreateInstance && BrotliDecoderDecompressStream && BrotliDecoderDestroyInstance;
    case PIU_ZSTD: return ZSTD_createDStream && ZSTD_decompressStream && ZSTD_freeDStream && ZSTD_isError;
    }
    return false;
}

piu_decoder *piu_decoder_new(piu_coding coding) {
    piu_decoder *decoder = piu_decoder_exists(coding) ? calloc(1, sizeof *decoder) : NULL;
    if (!decoder) return NULL;
    decoder->coding = coding;
    if (coding == PIU_BROTLI) decoder->other = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (coding == PIU_ZSTD) decoder->other = ZSTD_createDStream();
    if (decoder->other && coding == PIU_ZSTD && ZSTD_DCtx_setParameter)
        ZSTD_DCtx_setParameter(decoder->other, ZSTD_WINDOW_LOG_MAX, BITS_ZSTD);
    if (decoder->other || coding == PIU_GZIP || coding == PIU_DEFLATE) return decoder;
    free(decoder);
    return NULL;
}

void piu_decoder_free(piu_decoder *decoder) {
    if (decoder->has_zlib) inflateEnd(&decoder->zlib);
    if (decoder->other && decoder->coding == PIU_BROTLI) BrotliDecoderDestroyInstance(decoder->other);
    if (decoder->other && decoder->coding == PIU_ZSTD) ZSTD_freeDStream(decoder->other);
    free(decoder);
}

static piu_decoder_state run_zlib(piu_decoder *decoder) {
    z_stream *zlib = &decoder->zlib;
    if (!decoder->has_zlib) {
        if (zlib->avail_in == 0) return PIU_DECODER_MORE;
        // Some servers send deflate without the wrapper of zlib, whose first byte ends in 8.
        bool is_raw = (*zlib->next_in & 15) != 8;
        int bits = decoder->coding == PIU_GZIP ? BITS_GZIP : is_raw ? BITS_RAW : BITS_ZLIB;
        if (inflateInit2_(zlib, bits, "1", (int)sizeof *zlib) != Z_OK) return PIU_DECODER_FAILED;
        decoder->has_zlib = true;
    }
    while (true) {
        if (decoder->has_ended) {
            // gzip may have several members, each with its own end.
            decoder->ignores_rest = zlib->avail_in > 0 && (decoder->coding != PIU_GZIP || *zlib->next_in != 0x1F);
            if (decoder->ignores_rest) zlib->avail_in = 0;
            if (zlib->avail_in == 0) return PIU_DECODER_END;
            if (inflateReset(zlib) != Z_OK) return PIU_DECODER_FAILED;
            decoder->has_ended = false;
        }
        int result = inflate(zlib, 0);
        if (result != Z_STREAM_END)
            return result == Z_OK || result == Z_BUF_ERROR ? PIU_DECODER_MORE : PIU_DECODER_FAILED;
        decoder->has_ended = true;
    }
}

piu_decoder_state piu_decoder_run(
    piu_decoder *decoder, const void *input, unsigned *input_size, void *output, unsigned *output_size) {
    piu_decoder_state state = PIU_DECODER_MORE;
    const bool ignores_rest = decoder->coding == PIU_BROTLI || decoder->ignores_rest;
    if (decoder->has_ended && (ignores_rest || *input_size == 0)) {
        *output_size = 0;
        return PIU_DECODER_END;
    }
    if (decoder->coding == PIU_BROTLI) {
        const uint8_t *next_in = input;
        uint8_t *next_out = output;
        size_t left_in = *input_size, left_out = *output_size;
        int result = BrotliDecoderDecompressStream(decoder->other, &left_in, &next_in, &left_out, &next_out, NULL);
        if (result == BROTLI_ERROR) state = PIU_DECODER_FAILED;
        decoder->has_ended = result == BROTLI_SUCCESS;
        if (!decoder->has_ended) *input_size -= (unsigned)left_in;
        *output_size -= (unsigned)left_out;
    } else if (decoder->coding == PIU_ZSTD) {
        zstd_input in = {input, *input_size, 0};
        zstd_output out = {output, *output_size, 0};
        size_t result = ZSTD_decompressStream(decoder->other, &out, &in);
        if (ZSTD_isError(result)) state = PIU_DECODER_FAILED;
        decoder->has_ended = result == 0;  // of a frame; another one may follow
        *input_size = (unsigned)in.position;
        *output_size = (unsigned)out.position;
    } else {
        z_stream *zlib = &decoder->zlib;
        zlib->next_in = input;
        zlib->avail_in = *input_size;
        zlib->next_out = output;
        zlib->avail_out = *output_size;
        state = run_zlib(decoder);
        *input_size -= zlib->avail_in;
        *output_size -= zlib->avail_out;
    }
    return decoder->has_ended ? PIU_DECODER_END : state;
}
#endif
