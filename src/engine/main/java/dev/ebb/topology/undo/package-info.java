/** Undo: deleted events come back from the trash. */
@NullMarked
package dev.ebb.topology.undo;

import org.jspecify.annotations.NullMarked;
