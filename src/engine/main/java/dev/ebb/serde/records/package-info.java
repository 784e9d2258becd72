/** Avro records for the values of the domain, and the values for the records. */
@NullMarked
package dev.ebb.serde.records;

import org.jspecify.annotations.NullMarked;
