/** Bounds on the commands that are not finished, and the order in which they have their turns. */
@NullMarked
package dev.ebb.topology.crowd;

import org.jspecify.annotations.NullMarked;
