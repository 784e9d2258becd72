/** Schema registry and wire format: finds, checks and caches schemas of Avro records, and decodes records with them. */
@NullMarked
package dev.ebb.serde.schemas;

import org.jspecify.annotations.NullMarked;
