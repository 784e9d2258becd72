package dev.ebb.port;

import dev.ebb.domain.event.Wait;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A stream of which records wait because they cannot be taken in yet.
 *
 * @param partition the partition in which they wait
 * @param stream their Kafka key, the name of the stream; empty if it is none that a stream could have
 * @param records how many wait
 * @param bytes how much they take in the state
 * @param since when the stream began to wait
 * @param waitsFor what its first record waits for, for example "schema 7"
 * @param kind why that is not there, for example "registry away"
 * @param problem the same in more words; empty if there is nothing to add
 * @param first where the first record came from: topic, partition and offset with slashes between them; null if it was
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

    /** The words for what it waits for. */
    public static String kindOf(Wait wait) {
        return StatusView.ParkedView.kindOf(wait);
    }
}
