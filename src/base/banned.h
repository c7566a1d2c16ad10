/*
 * Makes calls of unsafe functions fail to compile, and names a replacement for each.
 *
 * These functions write beyond their buffers, keep hidden state or depend on
 * the locale. System headers that declare them must be included before this
 * one, so a file includes our own headers last.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define strcpy(to, from) use_buf_or_memcpy_instead_of_strcpy
#define strcat(to, from) use_buf_instead_of_strcat
#define strncpy(to, from, n) use_buf_or_memcpy_instead_of_strncpy
#define strncat(to, from, n) use_buf_instead_of_strncat
#define sprintf use_buf_printf_instead_of_sprintf
#define vsprintf use_buf_vprintf_instead_of_vsprintf
#define strtok(s, delimiters) use_slice_cut_instead_of_strtok
#define atoi(s) use_num_parse_instead_of_atoi
#define atol(s) use_num_parse_instead_of_atol
#define atof(s) use_num_parse_instead_of_atof
#define gmtime(t) use_gmtime_r
#define localtime(t) use_gmtime_r_local_time_is_not_reproducible
#define ctime(t) use_strftime
#define asctime(t) use_strftime
#define gets(s) use_file_read
#define rand() use_a_hash_rand_has_hidden_state
#undef alloca
#define alloca(n) use_the_arena_instead_of_alloca

#endif
