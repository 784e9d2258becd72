package dev.ebb.store.arrival;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * The result of an update of an execution.
 *
 * @param stream the stream
 * @param execution the execution as it is now
 * @param parent the stream that the stream belongs to; null if none was ever named
 */
public record ExecutionChange(
        StreamState stream, Execution execution, @Nullable StreamName parent) {}
