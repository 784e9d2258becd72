/** Measurements of ingest. */
@NullMarked
package dev.ebb.bench.runs.ingest;

import org.jspecify.annotations.NullMarked;
