/** The trash: read for an undo, and for people who ask what waits there. */
@NullMarked
package dev.ebb.runtime.trash;

import org.jspecify.annotations.NullMarked;
