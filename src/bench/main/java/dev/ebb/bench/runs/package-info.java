/** All measurements, by name. */
@NullMarked
package dev.ebb.bench.runs;

import org.jspecify.annotations.NullMarked;
