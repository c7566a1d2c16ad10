/*
 * What a picture shows of the path of a module or source file, unless the user asks for whole
 * paths: pictures are published, and the directories of a machine name its users and projects.
 */
#ifndef OUTPUT_PUBLIC_PATH_H
#define OUTPUT_PUBLIC_PATH_H

#include "base/slice.h"

/*
 * Returns the part of an absolute path or URL from the directory that packages are installed in, or
 * else its last part. Other paths, which profilers write relative to a project, are returned whole:
 *
 *     /srv/ann/secret/app.c                        app.c
 *     C:\Users\ann\app.exe                          app.exe
 *     https://ann.example/app.js?token=1            app.js
 *     /srv/ann/x/node_modules/express/index.js     node_modules/express/index.js
 *     /usr/lib/python3.11/json/decoder.py           python3.11/json/decoder.py
 *     src/parse.c                                   src/parse.c
 *     [kernel.kallsyms]                             [kernel.kallsyms]
 */
struct slice public_path(struct slice path);

#endif
