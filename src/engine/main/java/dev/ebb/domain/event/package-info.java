/** Streams and events as people speak of them. */
@NullMarked
package dev.ebb.domain.event;

import org.jspecify.annotations.NullMarked;
