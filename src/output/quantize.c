#include "output/quantize.h"

#include <stdlib.h>

#include "base/die.h"

enum { CHANNELS = 3 };

/* A run of the sorted numbers, and the range of its colours in each channel. */
struct cell {
    uint32_t first, count;
    uint8_t low[CHANNELS], high[CHANNELS];
};

static uint8_t channel(uint32_t color, unsigned c)
{
    return (uint8_t)(color >> (16 - 8 * c));
}

static bool same_color(const void *context, uint32_t id, const void *key)
{
    const struct quantize *q = context;

    return q->colors.items[id] == *(const uint32_t *)key;
}

void quantize_release(struct quantize *q)
{
    map_release(&q->index);
    vec_release(&q->colors);
    free(q->cell);
}

uint32_t quantize_add(struct quantize *q, uint32_t color)
{
    uint64_t hash = map_hash_pair(&q->index, color, 1);
    uint32_t number = map_find(&q->index, hash, same_color, q, &color);

    if (number == MAP_NONE) {
        number = (uint32_t)q->colors.count;
        *vec_add(&q->colors) = color;
        map_add(&q->index, hash, number);
    }
    return number;
}

static void measure(const struct quantize *q, const uint32_t *numbers, struct cell *cell)
{
    for (unsigned c = 0; c < CHANNELS; c++) {
        cell->low[c] = 255;
        cell->high[c] = 0;
    }
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        for (unsigned c = 0; c < CHANNELS; c++) {
            uint8_t v = channel(q->colors.items[numbers[i]], c);

            cell->low[c] = v < cell->low[c] ? v : cell->low[c];
            cell->high[c] = v > cell->high[c] ? v : cell->high[c];
        }
    }
}

/* Finds the cell and the channel with the largest range. Returns the range. */
static unsigned widest(const struct cell *cells, uint32_t count, uint32_t *at, unsigned *by)
{
    unsigned most = 0;

    for (uint32_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < CHANNELS; c++) {
            unsigned reach = cells[i].high[c] - cells[i].low[c];

            if (reach > most) {
                most = reach;
                *at = i;
                *by = c;
            }
        }
    }
    return most;
}

/* Moves the upper half of `cell`'s colours into `upper`. */
static void split(const struct quantize *q, uint32_t *numbers, struct cell *cell,
                  struct cell *upper, unsigned by)
{
    unsigned middle = (cell->low[by] + cell->high[by]) / 2u;
    uint32_t low = cell->first, high = cell->first + cell->count;

    while (low < high) {
        if (channel(q->colors.items[numbers[low]], by) <= middle) {
            low++;
        } else {
            uint32_t other = numbers[--high];

            numbers[high] = numbers[low];
            numbers[low] = other;
        }
    }
    *upper = (struct cell){.first = low, .count = cell->first + cell->count - low};
    cell->count = low - cell->first;
    measure(q, numbers, cell);
    measure(q, numbers, upper);
}

static uint32_t middle_color(const struct cell *cell)
{
    uint32_t color = 0;

    for (unsigned c = 0; c < CHANNELS; c++)
        color = color << 8 | (uint32_t)((cell->low[c] + cell->high[c] + 1) / 2);
    return color;
}

void quantize_fit(struct quantize *q)
{
    struct cell cells[QUANTIZE_CELLS];
    uint32_t count = (uint32_t)q->colors.count, at = 0;
    uint32_t *numbers = xmalloc((count + (size_t)1) * sizeof(*numbers));
    unsigned by = 0;

    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    cells[0] = (struct cell){.count = count};
    measure(q, numbers, &cells[0]);
    for (q->cells = 1; q->cells < QUANTIZE_CELLS; q->cells++) {
        if (!count || !widest(cells, q->cells, &at, &by))
            break;
        split(q, numbers, &cells[at], &cells[q->cells], by);
    }
    q->cell = xmalloc(count + (size_t)1);
    for (uint32_t i = 0; i < q->cells; i++) {
        q->shown[i] = middle_color(&cells[i]);
        for (uint32_t n = cells[i].first; n < cells[i].first + cells[i].count; n++)
            q->cell[numbers[n]] = (uint8_t)i;
    }
    free(numbers);
}
