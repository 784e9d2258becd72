/** Deletion order of one stream: the sweep that applies it, and forecasts of it. */
@NullMarked
package dev.ebb.store.forecast;

import org.jspecify.annotations.NullMarked;
