/*
 * Words of OpenTelemetry's profiles that flamepress wrote, which its writer and its reader share.
 */
#ifndef PROFILE_OTLP_H
#define PROFILE_OTLP_H

/* The instrumentation scope: names of functions are final, and attributes of profiles are facts. */
#define OTLP_SCOPE "flamepress"

/* An attribute of the scope: the key of the attribute that is the root of its stacks. */
#define OTLP_ROOT "flamepress.root"

/* The path of the control group. */
#define OTLP_CGROUP "process.linux.cgroup"

#endif
