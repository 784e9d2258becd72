/** Streams, their executions and events, and namespaces, as REST shows them. */
@NullMarked
package dev.ebb.wire.events;

import org.jspecify.annotations.NullMarked;
