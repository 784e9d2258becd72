/** Ports to the history on topics: audit, reports, rejected records and the archive. */
@NullMarked
package dev.ebb.port.history;

import org.jspecify.annotations.NullMarked;
