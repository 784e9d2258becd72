/** Measurements of deletes, of sweeps that find nothing, and of their cost to other work. */
@NullMarked
package dev.ebb.bench.runs.sweep;

import org.jspecify.annotations.NullMarked;
