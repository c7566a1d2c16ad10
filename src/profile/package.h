/*
 * Directories that contain installed packages, in the paths of functions: site-packages and
 * dist-packages of Python, node_modules of Node.js, gems of Ruby.
 */
#ifndef PROFILE_PACKAGE_H
#define PROFILE_PACKAGE_H

#include "base/slice.h"

/* Takes the first part off a path, which may have slashes or backslashes. False at the end. */
bool package_next_part(struct slice *path, struct slice *part);
/* Whether a part of a path is the name of a directory of packages. */
bool package_is_directory(struct slice part);
/* Whether it is a directory of a version of Python, which has packages: "python3.11". */
bool package_is_python(struct slice part);

#endif
