package dev.ebb.port;

import dev.ebb.domain.event.Wait;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A stream with records that wait because they cannot be taken in yet.
 *
 * @param partition the partition in which the records wait
 * @param stream the Kafka key of the records, which is the name of the stream; empty if no stream could have that name
 * @param records number of waiting records
 * @param bytes bytes that these records take in the state
 * @param since time at which the stream began to wait
 * @param waitsFor the thing for which the first record waits, for example "schema 7"
 * @param kind reason why the thing is not there, for example "registry away"
 * @param problem the reason in more words; empty if there is nothing to add
 * @param first origin of the first record: topic, partition and offset, separated by slashes; null if the record was
 *     taken in meanwhile
 */
public record ParkedStreamView(
        int partition,
        String stream,
        long records,
        long bytes,
        Instant since,
        String waitsFor,
        String kind,
        String problem,
        @Nullable String first) {

    public static final Comparator<ParkedStreamView> LONGEST_FIRST = Comparator.comparing(ParkedStreamView::since)
            .thenComparing(ParkedStreamView::partition)
            .thenComparing(ParkedStreamView::stream);

    /** Returns the kind and its problem in a line. */
    public String why() {
        return StatusView.ParkedView.why(kind, problem);
    }

    /** Returns the kind of that wait in words. */
    public static String kindOf(Wait wait) {
        return StatusView.ParkedView.kindOf(wait);
    }
}
