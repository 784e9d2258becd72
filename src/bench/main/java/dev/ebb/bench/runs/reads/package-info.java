/** Measurements of reads by people. */
@NullMarked
package dev.ebb.bench.runs.reads;

import org.jspecify.annotations.NullMarked;
