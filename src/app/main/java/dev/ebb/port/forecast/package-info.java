/** Ports to future deletes, to past deletes, and to news of both. */
@NullMarked
package dev.ebb.port.forecast;

import org.jspecify.annotations.NullMarked;
