/* The C functions that calls_c.mini declares. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void sort_ints(int64_t *numbers, int64_t count) {
    qsort(numbers, count, sizeof *numbers, compare);
}

int64_t read_name(uint8_t *buffer, int64_t size) {
    const char *name = "world";
    int64_t length = strlen(name);
    if (length > size) length = size;
    memcpy(buffer, name, length);
    return length;
}

void divisor(int64_t n); /* in calls_c.mini */

void each_divisor(int64_t n) {
    for (int64_t i = 1; i <= n; i++)
        if (n % i == 0) divisor(i);
}
