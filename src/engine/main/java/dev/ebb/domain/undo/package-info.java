/** Deletes that can be undone, and until when. */
@NullMarked
package dev.ebb.domain.undo;

import org.jspecify.annotations.NullMarked;
