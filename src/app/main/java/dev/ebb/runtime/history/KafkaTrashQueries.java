package dev.ebb.runtime.history;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.TimeRange;
import dev.ebb.port.history.TrashQueries;
import dev.ebb.runtime.reads.StandingCount;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;

/** Counts what waits in the trash by reading all of it. */
public final class KafkaTrashQueries implements TrashQueries, AutoCloseable {

    private final TopicReader trash;
    private final StandingCount<Contents> counted;

    /**
     * @param counter runs one count at a time; closed with this
     * @param patience longest wait of a caller for a new count
     */
    public KafkaTrashQueries(TopicReader trash, Clock clock, ExecutorService counter, Duration patience) {
        this.trash = trash;
        this.counted = new StandingCount<>(this::count, clock, counter, patience);
    }

    @Override
    public Contents contents() {
        return counted.get().orElseThrow(KafkaTrashQueries::tooLong);
    }

    private Contents count(long nowMs) {
        TrashCount count = new TrashCount(nowMs);
        boolean isComplete = trash.visit(new TimeRange(0, Long.MAX_VALUE), record -> {
            count.look(record);
            return !counted.isClosed();
        });
        if (!isComplete) {
            throw tooLong();
        }
        return count.contents();
    }

    private static NotReadyException tooLong() {
        return new NotReadyException(
                "the trash is being counted, which takes a while; ask again", Duration.ofSeconds(10));
    }

    @Override
    public void close() {
        counted.close();
    }
}
