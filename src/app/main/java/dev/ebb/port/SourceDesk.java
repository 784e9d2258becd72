package dev.ebb.port;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Topics of sources as Kafka has them, and the reading of this instance. Thread-safe. */
public interface SourceDesk {

    /**
     * The topics of a source, as they are now.
     *
     * @param absence the reason why the source cannot be read; null if it can
     * @param refusal the reason why its target takes no tombstones, with the fix; null if it does, or none is wanted
     */
    record Topics(@Nullable String absence, @Nullable String refusal) {}

    /**
     * Asks Kafka about the topics of a source, which need not be in force.
     *
     * @throws UnavailableException if Kafka does not answer
     */
    Topics topics(Source source);

    /** Returns how this instance reads the source; answers from memory. */
    SourceReading reading(Source source);

    /**
     * Sets the place from which a paused source is read when it is resumed.
     *
     * @return the offset of each partition
     * @throws NotReadyException if an instance still reads the source
     * @throws UnavailableException if Kafka does not answer
     */
    Map<Integer, Long> reset(Source source, SourceStart to);
}
