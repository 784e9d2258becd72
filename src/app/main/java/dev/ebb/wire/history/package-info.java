/** Deletions, sweeps and records set aside, as REST shows them afterwards, and the way back of archived events. */
@NullMarked
package dev.ebb.wire.history;

import org.jspecify.annotations.NullMarked;
