/** Commands as work in slices that survives a crash, on one partition or on all. */
@NullMarked
package dev.ebb.topology.command;

import org.jspecify.annotations.NullMarked;
