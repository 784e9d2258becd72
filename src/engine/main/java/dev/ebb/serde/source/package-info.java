/** Formats of the records of sources, as values that paths look into (F-3). */
@NullMarked
package dev.ebb.serde.source;

import org.jspecify.annotations.NullMarked;
