/** Harness of the measurements: runs, figures, targets, CPU time. */
@NullMarked
package dev.ebb.bench.harness;

import org.jspecify.annotations.NullMarked;
