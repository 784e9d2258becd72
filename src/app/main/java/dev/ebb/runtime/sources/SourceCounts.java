package dev.ebb.runtime.sources;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.port.SourceDesk.Reading.Counts;
import dev.ebb.topology.source.SourceObserver;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what happens to records of each source since the start of the instance, and passes it on. Thread-safe. */
public final class SourceCounts implements SourceObserver {

    private final SourceObserver next;
    private final InstantSource clock;
    private final Map<String, Counts> counts = new ConcurrentHashMap<>();

    /**
     * @param next is told the same
     * @param clock tells when faults are found
     */
    public SourceCounts(SourceObserver next, InstantSource clock) {
        this.next = next;
        this.clock = clock;
    }

    /** Returns the counts of a source. */
    Counts of(String source) {
        return counts.getOrDefault(source, Counts.NONE);
    }

    @Override
    public void rejected(String source, RejectReason reason, String detail) {
        add(source, faulty(1, reason + ": " + detail));
        next.rejected(source, reason, detail);
    }

    @Override
    public void overtaken(String source) {
        add(source, new Counts(0, 1, null, null));
        next.overtaken(source);
    }

    @Override
    public void lost(String source, String at) {
        add(source, faulty(0, "a tombstone overtook the record at " + at + ", which is not there any more"));
        next.lost(source, at);
    }

    @Override
    public void renewed(String source, String topic) {
        add(source, faulty(0, "topic " + topic + " was deleted and made anew, and is read from its beginning"));
        next.renewed(source, topic);
    }

    private Counts faulty(long rejected, String fault) {
        return new Counts(rejected, 0, fault, clock.instant());
    }

    private void add(String source, Counts one) {
        counts.merge(source, one, (former, more) -> more.plus(former));
    }
}
