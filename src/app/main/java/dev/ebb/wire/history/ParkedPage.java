package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import java.util.List;

/**
 * Streams of all partitions with waiting records.
 *
 * @param parked the streams, by length of the wait, the longest first
 * @param isMore true if there are more streams than the limit allows
 * @param unanswered instances whose part is missing; left out if there are none
 */
public record ParkedPage(
        List<ParkedStreamView> parked,

        @Meaning("True if more streams have waiting records than the limit.")
        boolean isMore,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {}
