/** Answers from the stores of this instance: streams, events, forecasts, explanations, records that wait. */
@NullMarked
package dev.ebb.runtime.reads;

import org.jspecify.annotations.NullMarked;
