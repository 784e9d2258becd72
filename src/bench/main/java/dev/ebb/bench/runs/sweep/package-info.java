/** Measurements of deletes, of sweeps that find nothing, and of what both cost the rest. */
@NullMarked
package dev.ebb.bench.runs.sweep;

import org.jspecify.annotations.NullMarked;
