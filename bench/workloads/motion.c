/* Workload: motion search as in video encoders. For each square of 16 by 16 pixels, the program
 * finds the most similar square in the previous frame, at a distance of up to 3.5 pixels, with a
 * resolution of half a pixel.
 *
 * The frame before is first doubled in size, with the means of neighbours in between. The search
 * tries all positions, and gives one up as soon as it is worse than the best so far. The frame
 * consists of squares of the one before, moved by random vectors: the search must find these
 * vectors, or positions with the same pixels. */
#include "workload.h"

#define SIDE 16
#define ACROSS 4
#define DOWN 3
#define WIDTH (SIDE * ACROSS)
#define HEIGHT (SIDE * DOWN)
#define REACH 7 /* half pixels */

struct vector {
    int32_t x, y; /* in half pixels */
};

static uint8_t before[HEIGHT][WIDTH], frame[HEIGHT][WIDTH];
static uint8_t large[2 * HEIGHT][2 * WIDTH];

/* Noise, smoothed along the lines: gradients for the search, and no two positions alike. */
PART void paint(uint32_t *seed)
{
    for (uint32_t y = 0; y < HEIGHT; y++) {
        uint32_t shade = 128;
        for (uint32_t x = 0; x < WIDTH; x++) {
            shade = (3 * shade + (workload_random(seed) >> 24)) / 4;
            before[y][x] = (uint8_t)shade;
        }
    }
}

PART void enlarge(void)
{
    for (uint32_t y = 0; y < 2 * HEIGHT; y++)
        for (uint32_t x = 0; x < 2 * WIDTH; x++) {
            uint32_t left = x / 2, right = (x + 1) / 2 < WIDTH ? (x + 1) / 2 : WIDTH - 1;
            uint32_t top = y / 2, bottom = (y + 1) / 2 < HEIGHT ? (y + 1) / 2 : HEIGHT - 1;
            large[y][x] = (uint8_t)((before[top][left] + before[top][right] + before[bottom][left] +
                                     before[bottom][right] + 2) / 4);
        }
}

/* True if the square at (x, y), in half pixels, is completely in the frame. */
static bool within(int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x <= 2 * (WIDTH - SIDE) && y <= 2 * (HEIGHT - SIDE);
}

PART void draw_vectors(struct vector *vector, uint32_t *seed)
{
    for (int32_t i = 0; i < ACROSS * DOWN; i++) {
        do {
            vector[i].x = (int32_t)(workload_random(seed) % (2 * REACH + 1)) - REACH;
            vector[i].y = (int32_t)(workload_random(seed) % (2 * REACH + 1)) - REACH;
        } while (!within(2 * SIDE * (i % ACROSS) + vector[i].x,
                         2 * SIDE * (i / ACROSS) + vector[i].y));
    }
}

/* Copies the square (i, j) of the frame from the position that the vector gives. */
PART void compensate(int32_t i, int32_t j, struct vector by)
{
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            frame[SIDE * j + y][SIDE * i + x] =
                large[2 * (SIDE * j + y) + by.y][2 * (SIDE * i + x) + by.x];
}

/* The sum of absolute differences; stops after the line at which it reaches `best`. */
PART uint32_t difference(int32_t i, int32_t j, struct vector by, uint32_t best)
{
    uint32_t sum = 0;
    for (int32_t y = 0; y < SIDE && sum < best; y++) {
        const uint8_t *here = &frame[SIDE * j + y][SIDE * i];
        const uint8_t *there = &large[2 * (SIDE * j + y) + by.y][2 * SIDE * i + by.x];
        for (int32_t x = 0; x < SIDE; x++) {
            int32_t d = here[x] - there[2 * x];
            sum += (uint32_t)(d < 0 ? -d : d);
        }
    }
    return sum;
}

PART struct vector search(int32_t i, int32_t j, uint32_t *best)
{
    struct vector found = {0, 0};
    *best = difference(i, j, found, UINT32_MAX);
    for (int32_t y = -REACH; y <= REACH; y++)
        for (int32_t x = -REACH; x <= REACH; x++) {
            if (!within(2 * SIDE * i + x, 2 * SIDE * j + y))
                continue;
            uint32_t sum = difference(i, j, (struct vector){x, y}, *best);
            if (sum < *best) {
                *best = sum;
                found = (struct vector){x, y};
            }
        }
    return found;
}

int main(int argc, char **argv)
{
    uint32_t rounds = workload_rounds(argc, argv, 5), seed = 10, sum = 0;
    struct vector vector[ACROSS * DOWN];
    for (uint32_t round = 0; round < rounds; round++) {
        paint(&seed);
        enlarge();
        draw_vectors(vector, &seed);
        for (int32_t i = 0; i < ACROSS * DOWN; i++)
            compensate(i % ACROSS, i / ACROSS, vector[i]);
        for (int32_t i = 0; i < ACROSS * DOWN; i++) {
            uint32_t best;
            struct vector found = search(i % ACROSS, i / ACROSS, &best);
            if (best || found.x != vector[i].x || found.y != vector[i].y)
                workload_wrong("motion", "the vector of square", (uint32_t)i);
            sum = workload_mix(sum, (uint32_t)(64 * found.x + found.y));
        }
    }
    return workload_done("motion", sum);
}
/* SPDX-License-Identifier: MIT */
