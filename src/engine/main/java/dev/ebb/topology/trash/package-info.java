/** Trash: deleted events and executions for as long as they can be brought back. */
@NullMarked
package dev.ebb.topology.trash;

import org.jspecify.annotations.NullMarked;
