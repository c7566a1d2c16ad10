/*
 * The linear light of each value of an sRGB channel, with the threshold of WCAG 2.1.
 *
 * A table, because a graph looks thousands up and pow() is slow. The values are those of
 *
 *     c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4), where c = value / 255
 */
#ifndef RASTER_LINEAR_H
#define RASTER_LINEAR_H

extern const double linear_light[256];

/*
 * Returns the value of a channel that has this linear light or is nearest to it. That is again what
 * pow() would give,
 *
 *     lround(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055))
 *
 * found by the least light that gives each value.
 */
unsigned linear_value(double light);

#endif
