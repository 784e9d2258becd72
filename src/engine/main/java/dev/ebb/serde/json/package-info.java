/** Records as JSON: the records of other programs without a registry, and Ebb's own records where there is none. */
@NullMarked
package dev.ebb.serde.json;

import org.jspecify.annotations.NullMarked;
