/* SPDX-License-Identifier: MIT */
/* Reads files that other programs wrote, and decompresses xz, gzip and zstd (foreign_file.h). A
 * compressed file may consist of several concatenated streams. */
#include "foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define INPUT_BYTES (1u << 16)
#define XZ_MEMORY (UINT64_C(1) << 30)

struct sl_foreign_file {
    int fd;
    char *path;
    const struct codec *codec;
    uint8_t input[INPUT_BYTES];
    size_t at, n; /* next byte, and end, of the input */
    bool drained; /* the end of the file was read */
    bool between; /* at the end of a compressed stream; another may follow */
    lzma_stream xz;
    z_stream gz;
    ZSTD_DStream *zstd;
};

/* decode() decompresses input[at] ... input[n - 1] to `out` and advances `at`. It returns the
 * number of bytes written, or -1 if the data are damaged. */
struct codec {
    const char *name;
    uint8_t magic[6];
    size_t n_magic;
    bool (*open)(struct sl_foreign_file *file);
    int64_t (*decode)(struct sl_foreign_file *file, uint8_t *out, size_t size);
    void (*close)(struct sl_foreign_file *file);
};

/* ---- codecs ---- */

static bool xz_open(struct sl_foreign_file *file)
{
    file->xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_stream_decoder(&file->xz, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static int64_t xz_decode(struct sl_foreign_file *file, uint8_t *out, size_t size)
{
    lzma_stream *s = &file->xz;
    s->next_in = file->input + file->at;
    s->avail_in = file->n - file->at;
    s->next_out = out;
    s->avail_out = size;
    lzma_ret result = lzma_code(s, file->drained ? LZMA_FINISH : LZMA_RUN);
    file->at = file->n - s->avail_in;
    file->between = result == LZMA_STREAM_END;
    return result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR
               ? (int64_t)(size - s->avail_out)
               : -1;
}

static void xz_close(struct sl_foreign_file *file)
{
    lzma_end(&file->xz);
}

static bool gz_open(struct sl_foreign_file *file)
{
    return inflateInit2(&file->gz, 15 + 16) == Z_OK;
}

static int64_t gz_decode(struct sl_foreign_file *file, uint8_t *out, size_t size)
{
    z_stream *s = &file->gz;
    uInt capacity = size > 1u << 30 ? 1u << 30 : (uInt)size;
    if (file->between && file->at < file->n && inflateReset(s) != Z_OK)
        return -1;
    file->between = file->between && file->at == file->n;
    if (file->between)
        return 0;
    s->next_in = file->input + file->at;
    s->avail_in = (uInt)(file->n - file->at);
    s->next_out = out;
    s->avail_out = capacity;
    int result = inflate(s, Z_NO_FLUSH);
    file->at = file->n - s->avail_in;
    file->between = result == Z_STREAM_END;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR
               ? (int64_t)(capacity - s->avail_out)
               : -1;
}

static void gz_close(struct sl_foreign_file *file)
{
    inflateEnd(&file->gz);
}

static bool zstd_open(struct sl_foreign_file *file)
{
    return (file->zstd = ZSTD_createDStream()) != NULL;
}

static int64_t zstd_decode(struct sl_foreign_file *file, uint8_t *out, size_t size)
{
    ZSTD_inBuffer in = {file->input, file->n, file->at};
    ZSTD_outBuffer to = {out, size, 0};
    if (file->between && in.pos == in.size)
        return 0;
    size_t result = ZSTD_decompressStream(file->zstd, &to, &in);
    file->at = in.pos;
    file->between = !result;
    return ZSTD_isError(result) ? -1 : (int64_t)to.pos;
}

static void zstd_close(struct sl_foreign_file *file)
{
    ZSTD_freeDStream(file->zstd);
}

static int64_t plain_decode(struct sl_foreign_file *file, uint8_t *out, size_t size)
{
    size_t n = file->n - file->at < size ? file->n - file->at : size;
    memcpy(out, file->input + file->at, n);
    file->at += n;
    file->between = true;
    return (int64_t)n;
}

static const struct codec codecs[] = {
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_open, xz_decode, xz_close},
    {"gzip", {0x1f, 0x8b}, 2, gz_open, gz_decode, gz_close},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_open, zstd_decode, zstd_close},
    {"bzip2", {'B', 'Z', 'h'}, 3, NULL, NULL, NULL},
    {"plain", {0}, 0, NULL, plain_decode, NULL},
};

/* ---- the file ---- */

/* Moves the rest of the input to the start and fills the buffer. */
static int refill(struct sl_foreign_file *file, struct sl_failure *f)
{
    memmove(file->input, file->input + file->at, file->n - file->at);
    file->n -= file->at;
    file->at = 0;
    while (!file->drained && file->n < INPUT_BYTES) {
        ssize_t n = TEMP_FAILURE_RETRY(
            read(file->fd, file->input + file->n, INPUT_BYTES - file->n));
        if (n < 0)
            return sl_fail_errno(f, SL_EIO, "cannot read %s", file->path);
        file->drained = !n;
        file->n += (size_t)n;
    }
    return 0;
}

int64_t sl_foreign_read(struct sl_foreign_file *file, void *data, size_t size, struct sl_failure *f)
{
    size_t got = 0;
    while (got < size) {
        int error = file->n - file->at < INPUT_BYTES / 2 ? refill(file, f) : 0;
        if (error < 0)
            return error;
        size_t before = file->at;
        int64_t n = file->codec->decode(file, (uint8_t *)data + got, size - got);
        if (n < 0)
            return sl_fail(f, SL_EFORMAT, "%s cannot be decompressed: its %s data are damaged",
                           file->path, file->codec->name);
        got += (size_t)n;
        if (n || file->at != before || !file->drained)
            continue;
        if (!file->between)
            return sl_fail(f, SL_EFORMAT, "%s is truncated: its %s data are incomplete", file->path,
                           file->codec->name);
        break;
    }
    return (int64_t)got;
}

static int detect_codec(struct sl_foreign_file *file, struct sl_failure *f)
{
    int error = refill(file, f);
    const struct codec *codec = codecs;
    while (codec->n_magic > file->n || memcmp(codec->magic, file->input, codec->n_magic))
        codec++;
    if (error < 0)
        return error;
    if (!codec->decode)
        return sl_fail(
            f, SL_EUNSUPPORTED,
            "%s is compressed with %s, which sluice does not support: "
            "decompress it first, or pipe the decompressed data to sluice, with - as the file name",
            file->path, codec->name);
    if (codec->open && !codec->open(file))
        return sl_out_of_memory(f);
    file->codec = codec;
    return 0;
}

int sl_foreign_open(struct sl_foreign_file **to, const char *path, struct sl_failure *f)
{
    struct stat status;
    struct sl_foreign_file *file = *to = calloc(1, sizeof *file);
    if (!file)
        return sl_out_of_memory(f);
    file->path = strdup(path);
    file->fd = !strcmp(path, "-") ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int error = !file->path ? sl_out_of_memory(f)
                : file->fd < 0 || fstat(file->fd, &status) < 0
                    ? sl_fail_errno(f, SL_EIO, "cannot open %s", path)
                : S_ISDIR(status.st_mode) ? sl_fail(f, SL_EFORMAT, "%s is a directory", path)
                                          : detect_codec(file, f);
    if (error < 0) {
        sl_foreign_close(file);
        *to = NULL;
    }
    return error;
}

void sl_foreign_close(struct sl_foreign_file *file)
{
    if (!file)
        return;
    if (file->codec && file->codec->close)
        file->codec->close(file);
    if (file->fd > STDIN_FILENO)
        close(file->fd);
    free(file->path);
    free(file);
}
