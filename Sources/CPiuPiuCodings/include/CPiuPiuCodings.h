// Decoders of content codings (RFC 9110, section 8.4.1), by the libraries that libcurl brings along: zlib, libbrotlidec
// and libzstd.
//
// libcurl's own decoding can't be turned off for one response: from 8.7 on it fails for a coding that it doesn't know.
// The names and numbers are those of the libraries' public interfaces, which have kept them from their first version on.
#ifndef CPIUPIUCODINGS_H
#define CPIUPIUCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { PIU_GZIP, PIU_DEFLATE, PIU_BROTLI, PIU_ZSTD } piu_coding;

typedef enum {
    PIU_DECODER_MORE,    // the input has been read, or the output is full
    PIU_DECODER_END,     // the content is complete; nothing has to follow
    PIU_DECODER_FAILED,  // the content is malformed
} piu_decoder_state;

typedef struct piu_decoder piu_decoder;

/// Whether the library for a coding is in this process.
bool piu_decoder_exists(piu_coding coding);
/// Returns NULL without memory, or without the library.
piu_decoder *_Nullable piu_decoder_new(piu_coding coding);
void piu_decoder_free(piu_decoder *_Nonnull decoder);
/// Decodes as much as possible. Afterwards the sizes are those of what was read and written.
piu_decoder_state piu_decoder_run(
    piu_decoder *_Nonnull decoder, const void *_Nullable input, unsigned *_Nonnull input_size, void *_Nullable output,
    unsigned *_Nonnull output_size);

#endif
