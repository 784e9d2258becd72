package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import java.util.List;

/**
 * Streams of all partitions of which records wait.
 *
 * @param parked the streams, the one that waits longest first
 * @param isMore true if there are more than the limit allows to show
 * @param unanswered instances whose part is missing; left out if none is
 */
public record ParkedPage(
        List<ParkedStreamView> parked,

        @Meaning("True if there are more than the limit allows to show.")
        boolean isMore,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {}
