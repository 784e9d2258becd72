/** Observations of tasks for metrics and status. */
@NullMarked
package dev.ebb.topology.observe;

import org.jspecify.annotations.NullMarked;
