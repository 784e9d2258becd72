/** Saved beside the streams of a partition: pending and finished commands. */
@NullMarked
package dev.ebb.store.notes;

import org.jspecify.annotations.NullMarked;
