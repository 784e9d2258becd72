/** Parts of the erasure of all events that match. */
@NullMarked
package dev.ebb.topology.erase;

import org.jspecify.annotations.NullMarked;
