/** Streams and events in the words of the model. */
@NullMarked
package dev.ebb.domain.event;

import org.jspecify.annotations.NullMarked;
