/** Past deletes, sweeps and rejected records, as REST shows them, and the way back of archived events. */
@NullMarked
package dev.ebb.wire.history;

import org.jspecify.annotations.NullMarked;
