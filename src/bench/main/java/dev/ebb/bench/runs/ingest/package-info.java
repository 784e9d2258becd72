/** Measurements of what it takes to take events in. */
@NullMarked
package dev.ebb.bench.runs.ingest;

import org.jspecify.annotations.NullMarked;
