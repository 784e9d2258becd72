/** Sweeps of one task: slices that delete, reports of what would be deleted, and watch over stale work. */
@NullMarked
package dev.ebb.topology.sweep;

import org.jspecify.annotations.NullMarked;
