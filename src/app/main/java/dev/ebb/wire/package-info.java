/**
 * JSON records of the REST interface, which {@code api} writes and {@code cli} reads. Each room below has the records
 * of one part of the interface. Reader and writer may be of different versions: the reader ignores unknown fields and
 * takes a missing list for an empty one.
 */
@NullMarked
package dev.ebb.wire;

import org.jspecify.annotations.NullMarked;
