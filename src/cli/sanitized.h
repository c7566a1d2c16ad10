/*
 * Defines SANITIZED in builds with AddressSanitizer, whose search for leaks at
 * exit starts a process that traces this one and reads /proc.
 */
#ifndef CLI_SANITIZED_H
#define CLI_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#endif
