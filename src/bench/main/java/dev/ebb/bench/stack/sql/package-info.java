/** Tables of the mirror, and databases that events could be kept in instead. */
@NullMarked
package dev.ebb.bench.stack.sql;

import org.jspecify.annotations.NullMarked;
