/** Conversion between the values of the domain and Avro records. */
@NullMarked
package dev.ebb.serde.records;

import org.jspecify.annotations.NullMarked;
