/** Saved beside the streams of a partition: pending and finished commands, and streams with parked records. */
@NullMarked
package dev.ebb.store.notes;

import org.jspecify.annotations.NullMarked;
