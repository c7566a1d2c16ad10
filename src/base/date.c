#include "base/date.h"

#include <time.h>

#include "base/ascii.h"

enum { DAY_LENGTH = 10 };

/* Returns the number of two digits, or -1. */
static int two_digits(const char *text)
{
    if (!ascii_is_digit(text[0]) || !ascii_is_digit(text[1]))
        return -1;
    return (text[0] - '0') * 10 + (text[1] - '0');
}

bool date_is_day(struct slice text)
{
    int century, year, month, day;
    struct tm date = {0};

    if (text.len != DAY_LENGTH || text.ptr[4] != '-' || text.ptr[7] != '-')
        return false;
    century = two_digits(text.ptr);
    year = two_digits(text.ptr + 2);
    month = two_digits(text.ptr + 5);
    day = two_digits(text.ptr + 8);
    if (century < 0 || year < 0 || month < 0 || day < 0)
        return false;
    date.tm_year = century * 100 + year - 1900;
    date.tm_mon = month - 1;
    date.tm_mday = day;
    timegm(&date); /* turns the 31st of June into the 1st of July */
    return date.tm_mon == month - 1 && date.tm_mday == day;
}

struct slice date_day(struct slice text)
{
    struct slice day = slice_take(text, DAY_LENGTH);
    bool alone = text.len == DAY_LENGTH;

    if (!date_is_day(day) || !(alone || text.ptr[DAY_LENGTH] == 'T' || text.ptr[DAY_LENGTH] == ' '))
        return SLICE("");
    return day;
}
