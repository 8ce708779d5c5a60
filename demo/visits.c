/* Example: summarizes the access log of a web server, in the common log format, by page. It has a
 * performance bug, which docs/tutorials/slow-program.md finds with sluice.
 *
 *     demo/access-log.sh 20000 >access.log
 *     visits access.log
 *
 * A line of the log is
 *
 *     192.0.2.7 - - [19/Nov/2026:10:00:00 +0000] "GET /shop/item/1234 HTTP/1.1" 200 5120
 *
 * The pages are counted in a hash table with a linked list per bucket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define TOP 5

struct page {
    struct page *next;
    unsigned long requests, bytes, errors;
    char path[];
};

static struct page *bucket[BUCKETS];
static size_t n_pages;

static unsigned hash(const char *path)
{
    unsigned hash = 0;
    for (; *path; path++)
        hash = hash + (unsigned char)*path;
    return hash % BUCKETS;
}

/* Finds the counters of a page, or adds new ones. */
static struct page *find_page(const char *path)
{
    struct page **head = &bucket[hash(path)];
    for (struct page *page = *head; page; page = page->next)
        if (strcmp(page->path, path) == 0)
            return page;

    struct page *page = calloc(1, sizeof *page + strlen(path) + 1);
    if (!page) {
        perror("visits");
        exit(1);
    }
    strcpy(page->path, path);
    page->next = *head;
    *head = page;
    n_pages++;
    return page;
}

/* Separates the path, the status and the size of a line. Returns 0 if the line has another format. */
static int parse(char *line, char **path, unsigned *status, unsigned long *bytes)
{
    char *request = strchr(line, '"');
    char *start = request ? strchr(request, ' ') : NULL;
    char *end = start ? strchr(start + 1, ' ') : NULL;
    char *quote = end ? strchr(end, '"') : NULL;
    if (!quote)
        return 0;
    *end = '\0';
    *path = start + 1;
    (*path)[strcspn(*path, "?")] = '\0';
    *status = (unsigned)strtoul(quote + 1, &end, 10);
    *bytes = strtoul(end, NULL, 10);
    return *status >= 100 && *status < 600;
}

static int by_requests(const void *a, const void *b)
{
    const struct page *p = *(struct page *const *)a, *q = *(struct page *const *)b;
    return p->requests != q->requests ? (p->requests < q->requests ? 1 : -1)
                                      : strcmp(p->path, q->path);
}

static void print_top(void)
{
    struct page **list = malloc((n_pages + 1) * sizeof *list);
    size_t n = 0;
    if (!list) {
        perror("visits");
        exit(1);
    }
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct page *page = bucket[i]; page; page = page->next)
            list[n++] = page;
    qsort(list, n, sizeof *list, by_requests);
    for (size_t i = 0; i < n && i < TOP; i++)
        printf("%8lu %8lu KB %6lu errors  %s\n", list[i]->requests, list[i]->bytes / 1024,
               list[i]->errors, list[i]->path);
    free(list);
}

int main(int argc, char **argv)
{
    FILE *log = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!log) {
        fprintf(stderr, argc == 2 ? "visits: cannot open %s\n" : "usage: visits LOG\n", argv[1]);
        return 2;
    }
    char line[4096], *path;
    unsigned long lines = 0, bytes;
    unsigned status;
    while (fgets(line, sizeof line, log)) {
        if (!parse(line, &path, &status, &bytes))
            continue;
        struct page *page = find_page(path);
        page->requests++;
        page->bytes += bytes;
        page->errors += status >= 400;
        lines++;
    }
    fclose(log);
    printf("%lu requests for %zu pages\n", lines, n_pages);
    print_top();
    return 0;
}
/* SPDX-License-Identifier: MIT */
