/** Past deletes, sweeps and rejected records, as REST shows them. */
@NullMarked
package dev.ebb.wire.history;

import org.jspecify.annotations.NullMarked;
