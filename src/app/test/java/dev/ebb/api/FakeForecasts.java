package dev.ebb.api;

import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.ForecastQueries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Forecasts that a test has set: each namespace has events that fall due in its bucket. */
public final class FakeForecasts implements ForecastQueries {

    /** Events that fall due in the first bucket, by namespace. */
    public final Map<String, Long> due = new TreeMap<>();

    /** Events beside them that never go, by namespace. */
    public final Map<String, Long> kept = new TreeMap<>();

    /** Streams of a page. */
    public final List<DueStream> streams = new ArrayList<>();

    public final List<Question> asked = Collections.synchronizedList(new ArrayList<>());
    public boolean isExact = true;
    public int missing;
    public long readEvents;
    public int others;

    @Override
    public Forecast forecast(Question question, Collection<Integer> partitions, int most) {
        asked.add(question);
        Map<String, Sums> sums = new TreeMap<>();
        due.forEach((namespace, events) -> {
            if (question.namespace() == null || question.namespace().equals(namespace)) {
                Sums told = sums(events, question.buckets().size() - 1);
                Tally more = tally(kept.getOrDefault(namespace, 0L));
                sums.put(
                        namespace,
                        new Sums(
                                told.stored().plus(more.events(), more.bytes()),
                                told.overdue(),
                                told.sooner(),
                                told.due(),
                                told.later(),
                                told.never().plus(more.events(), more.bytes())));
            }
        });
        Sums rest = others == 0 ? null : sums(others, question.buckets().size() - 1);
        return new Forecast(FakePorts.T0.toEpochMilli(), missing, false, readEvents, sums, others, rest);
    }

    private Sums sums(long events, int buckets) {
        List<Due> inBuckets = new ArrayList<>(Collections.nCopies(buckets, new Due(Tally.ZERO, true)));
        inBuckets.set(0, new Due(tally(events), isExact));
        return new Sums(tally(5 * events), tally(events), tally(0), inBuckets, tally(events), tally(2 * events));
    }

    private static Tally tally(long events) {
        return new Tally(events, 10 * events);
    }

    @Override
    public DueStreams streams(Question question, Collection<Integer> partitions, Place after, int limit) {
        asked.add(question);
        List<DueStream> page = streams.stream()
                .filter(one -> after == null
                        || new Place(one.due().events(), one.stream().value()).compareTo(after) > 0)
                .limit(limit)
                .toList();
        long sum = streams.stream().mapToLong(one -> one.due().events()).sum();
        return new DueStreams(FakePorts.T0.toEpochMilli(), missing, streams.size(), tally(sum), isExact, page);
    }
}
