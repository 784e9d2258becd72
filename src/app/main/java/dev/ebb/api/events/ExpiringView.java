package dev.ebb.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.UnansweredView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of events that will go from a namespace, the soonest first; {@code next} goes into {@code after} of the next
 * request and is null on the last page.
 *
 * @param marks between instances, the place of each event among all events; left out for other callers
 * @param unanswered instances whose events are missing on the page; empty if none are
 * @param stale the partitions that a copy answered for; left out if there are none
 */
record ExpiringView(
        @ShownAs("Event") List<ObjectNode> events,
        @Nullable String next,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
        List<String> marks,

        List<UnansweredView> unanswered,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
        List<StaleView> stale) {}
