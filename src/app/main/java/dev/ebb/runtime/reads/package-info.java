/** Queries on the stores of this instance: streams, events, forecasts, explanations, waiting records. */
@NullMarked
package dev.ebb.runtime.reads;

import org.jspecify.annotations.NullMarked;
