/** The domain's values as bytes and texts: Avro over a schema registry, JSON, YAML and JSON lines. */
@NullMarked
package dev.ebb.serde;

import org.jspecify.annotations.NullMarked;
