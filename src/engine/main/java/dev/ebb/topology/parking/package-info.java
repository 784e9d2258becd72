/** Records that cannot be taken in yet. */
@NullMarked
package dev.ebb.topology.parking;

import org.jspecify.annotations.NullMarked;
