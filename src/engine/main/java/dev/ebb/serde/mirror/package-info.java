/** Rows of SQL as records of the mirror topics. */
@NullMarked
package dev.ebb.serde.mirror;

import org.jspecify.annotations.NullMarked;
