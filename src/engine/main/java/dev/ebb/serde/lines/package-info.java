/** JSON lines with events, as files and pipes bring them. */
@NullMarked
package dev.ebb.serde.lines;

import org.jspecify.annotations.NullMarked;
