/** Schema registry and wire format: schemas of Avro records, found, checked and kept, and records decoded by them. */
@NullMarked
package dev.ebb.serde.schemas;

import org.jspecify.annotations.NullMarked;
