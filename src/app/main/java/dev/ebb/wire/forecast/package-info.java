/** Forecasts of deletes, past deletes by time, and news of changes, as REST shows them. */
@NullMarked
package dev.ebb.wire.forecast;

import org.jspecify.annotations.NullMarked;
