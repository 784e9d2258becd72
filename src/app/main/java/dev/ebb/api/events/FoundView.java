package dev.ebb.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.wire.ShownAs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a search for events, in no order; {@code next} goes into {@code after} of the next request and is null on the
 * last page.
 */
record FoundView(
        @ShownAs("Event") List<ObjectNode> events, @Nullable String next) {}
