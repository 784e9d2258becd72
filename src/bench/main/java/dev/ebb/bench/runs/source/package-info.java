/** Measurements of the topics of other applications. */
@NullMarked
package dev.ebb.bench.runs.source;

import org.jspecify.annotations.NullMarked;
