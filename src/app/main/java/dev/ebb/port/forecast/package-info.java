/** Ports to what falls due, to what went, and to news of both. */
@NullMarked
package dev.ebb.port.forecast;

import org.jspecify.annotations.NullMarked;
