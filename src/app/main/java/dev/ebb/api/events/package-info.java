/** Resources for streams, events, executions and namespaces, and for the future of an event. */
@NullMarked
package dev.ebb.api.events;

import org.jspecify.annotations.NullMarked;
