/*
 * The version of flamepress. No other file of the source states it. The first
 * heading of CHANGELOG.md with a number and the first entry of
 * packaging/debian/changelog must have the same version and day; `make lint`
 * checks it.
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define FLAMEPRESS_VERSION "0.2.0"

/* The day of this version's release, which the man pages state. */
#define FLAMEPRESS_RELEASED "2026-11-22"

/*
 * Marks a profile that flamepress wrote in the format of another tool: its names are final, and
 * reading it back must not clean them again.
 */
#define FLAMEPRESS_MARK "written by flamepress"

#endif
