/** Reads, each described once for REST, its documents and the command line. */
@NullMarked
package dev.ebb.wire.read;

import org.jspecify.annotations.NullMarked;
