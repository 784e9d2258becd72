/** Forecasts from outlines of all streams, sums of the audit, and news of what has changed. */
@NullMarked
package dev.ebb.runtime.forecast;

import org.jspecify.annotations.NullMarked;
