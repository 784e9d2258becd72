/** Commands for streams, events, executions and namespaces. */
@NullMarked
package dev.ebb.cli.events;

import org.jspecify.annotations.NullMarked;
