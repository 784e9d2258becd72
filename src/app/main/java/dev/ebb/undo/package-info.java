/** Undo: what can be brought back from the trash, by route and by command, and how the trash is read. */
@NullMarked
package dev.ebb.undo;

import org.jspecify.annotations.NullMarked;
