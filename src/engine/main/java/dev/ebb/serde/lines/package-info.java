/** JSON lines with events, from files and pipes. */
@NullMarked
package dev.ebb.serde.lines;

import org.jspecify.annotations.NullMarked;
