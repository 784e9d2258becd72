/**
 * JSON records of the REST interface, which {@code api} writes and {@code cli} reads. Rooms below have those of one part
 * of the interface each. A reader may be of another version than the writer: it passes over fields that it does not
 * know, and takes a missing list for an empty one.
 */
@NullMarked
package dev.ebb.wire;

import org.jspecify.annotations.NullMarked;
