package dev.ebb.source;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceOutcome;
import dev.ebb.domain.source.SourceReader;
import dev.ebb.domain.source.SourceRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The records of samples as sources would take them, and the decisions about their events. Not thread-safe. */
final class SampleTrial {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final SampleJudge judge;
    private final List<SampleRow> rows = new ArrayList<>();
    private Map<StoredEvent, Decision> now = Map.of();
    private final Map<String, Sums> sums = new TreeMap<>();

    SampleTrial(SampleJudge judge) {
        this.judge = judge;
    }

    /** Sums of a namespace: events that live, and of these all that would be gone by a time. */
    static final class Sums {
        private long events;
        private long now;
        private long inADay;
        private long inAWeek;

        long events() {
            return events;
        }

        long now() {
            return now;
        }

        long inADay() {
            return inADay;
        }

        long inAWeek() {
            return inAWeek;
        }
    }

    /** Takes the records of one source, in the order in which they stand. */
    void take(Source source, SourceReader reader, List<SourceRecord> records) {
        SourceMapping mapping = new SourceMapping(source, reader);
        Map<String, Integer> newest = new HashMap<>();
        for (SourceRecord record : records) {
            SampleRow row = row(source, record, mapping.map(record, judge.nowMs()));
            Integer former = row.id() == null ? null : newest.put(row.id(), rows.size());
            if (former != null && rows.get(former).isAlive()) {
                rows.set(former, rows.get(former).withWord(later(row)));
            }
            rows.add(row);
        }
    }

    private static String later(SampleRow row) {
        if (row.fault() != null) {
            return "stays: a newer record does not fit";
        }
        return row.event() == null ? "removed later" : "replaced later";
    }

    private SampleRow row(Source source, SourceRecord record, SourceOutcome outcome) {
        String name = source.name();
        if (outcome instanceof SourceOutcome.Faulty faulty) {
            String id = faulty.id() == null ? null : faulty.id().value();
            return new SampleRow(name, record, null, id, faulty.fault(), null);
        } else if (outcome instanceof SourceOutcome.Taken taken) {
            StoredEvent event = judge.stored(taken.event(), record.timestampMs(), rows.size());
            return new SampleRow(name, record, event, taken.event().id().value(), null, null);
        } else if (outcome instanceof SourceOutcome.Gone gone) {
            return new SampleRow(name, record, null, gone.id().value(), null, "removes the event");
        } else if (outcome instanceof SourceOutcome.Own own) {
            return new SampleRow(name, record, null, own.id().value(), null, "a tombstone of Ebb");
        }
        return new SampleRow(name, record, null, null, null, "dropped by a transformation");
    }

    /** Decides about all events that were taken. */
    void decide() {
        List<StoredEvent> alive = rows.stream()
                .filter(SampleRow::isAlive)
                .map(SampleRow::event)
                .filter(Objects::nonNull)
                .toList();
        now = judge.at(judge.nowMs(), alive);
        Map<StoredEvent, Decision> inADay = judge.at(judge.nowMs() + DAY_MS, alive);
        Map<StoredEvent, Decision> inAWeek = judge.at(judge.nowMs() + 7 * DAY_MS, alive);
        for (StoredEvent event : alive) {
            Sums sum = sums.computeIfAbsent(event.event().stream().namespace(), name -> new Sums());
            sum.events++;
            sum.now += count(now, event);
            sum.inADay += count(inADay, event);
            sum.inAWeek += count(inAWeek, event);
        }
    }

    private static int count(Map<StoredEvent, Decision> decisions, StoredEvent event) {
        return decisions.get(event) instanceof Decision.Remove ? 1 : 0;
    }

    List<SampleRow> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** Returns the sums by namespace, in the order of the names. */
    Map<String, Sums> sums() {
        return Collections.unmodifiableMap(sums);
    }

    /** Returns the decision about the event of a row now; null if it is none, or not the newest of its key. */
    @Nullable
    Decision decision(SampleRow row) {
        return row.isAlive() ? now.get(row.event()) : null;
    }

    SampleJudge judge() {
        return judge;
    }

    long faults() {
        return rows.stream().filter(row -> row.fault() != null).count();
    }
}
