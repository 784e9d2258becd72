/** Resources for streams, events, executions and namespaces, and for what will become of an event. */
@NullMarked
package dev.ebb.api.events;

import org.jspecify.annotations.NullMarked;
