/** Tables of the mirror, and databases that could keep events instead. */
@NullMarked
package dev.ebb.bench.stack.sql;

import org.jspecify.annotations.NullMarked;
