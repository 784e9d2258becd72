/** Measurements of what people read. */
@NullMarked
package dev.ebb.bench.runs.reads;

import org.jspecify.annotations.NullMarked;
