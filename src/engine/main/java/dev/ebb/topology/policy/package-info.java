/** Policies in force as each instance and each task sees them. */
@NullMarked
package dev.ebb.topology.policy;

import org.jspecify.annotations.NullMarked;
