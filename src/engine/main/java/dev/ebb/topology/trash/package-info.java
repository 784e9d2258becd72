/** Trash: what was deleted, as long as it can be brought back. */
@NullMarked
package dev.ebb.topology.trash;

import org.jspecify.annotations.NullMarked;
