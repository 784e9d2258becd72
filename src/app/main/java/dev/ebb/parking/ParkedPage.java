package dev.ebb.parking;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
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

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {

    /** Lists streams with waiting records. */
    public static final Read<Query, ParkedPage> LIST = new Read<>(
            "/v1/parked", "Lists streams with waiting records, the longest wait first.", Query.class, ParkedPage.class);

    /** The number of streams to show. */
    public record Query(
            @Parameter("The most streams to show, up to 1000. Default: 100.")
            int limit) {}
}
