/*
 * The version of flamepress. No other file of the source states it. The first
 * heading of CHANGELOG.md with a number must be equal; `make lint` checks it.
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define FLAMEPRESS_VERSION "0.1.0"

/*
 * Marks a profile that flamepress wrote in the format of another tool: its names are final, and
 * reading it back must not clean them again.
 */
#define FLAMEPRESS_MARK "written by flamepress"

#endif
