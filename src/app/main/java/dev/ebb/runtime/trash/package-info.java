/** The trash, read for an undo. */
@NullMarked
package dev.ebb.runtime.trash;

import org.jspecify.annotations.NullMarked;
