/** Undo: what waits in the trash comes back. */
@NullMarked
package dev.ebb.topology.undo;

import org.jspecify.annotations.NullMarked;
