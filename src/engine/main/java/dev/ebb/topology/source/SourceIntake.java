package dev.ebb.topology.source;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceOutcome;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.TombstoneHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Intake of the records of one partition of a source: makes events of them, removes the events of rows that are gone,
 * and sends again what a tombstone of Ebb overtook. Reads no clock and knows no Kafka. Not thread-safe.
 */
final class SourceIntake {

    /** In some records that were sent again: the place of the one that each repeats. */
    static final String AGAIN = "ebb-again";

    private final Source source;
    private final SourceMapping mapping;
    private final String topicId;
    private final @Nullable TableMemory memory;
    private final Output output;

    /**
     * A record at its place.
     *
     * @param keepsTime false if its topic gives a record that is sent again another time
     */
    record Found(SourceRecord record, boolean keepsTime) {}

    /** The consequences of a record, all in one transaction. */
    interface Output {

        /** Sends an event to the engine. */
        void event(Event event);

        /** Sends the removal of an event to the engine. */
        void gone(SourceGone gone);

        /** Sends a record to the rejected topic. */
        void reject(SourceRecord record, Rejection rejection);

        /** Returns the record at that offset of the partition of the other record; null if it is not there any more. */
        @Nullable
        Found find(SourceRecord cause, long offset);

        /** Sends a record to the topic of the source, to the partition that it names. */
        void sendAgain(SourceRecord record);
    }

    /**
     * @param topicId the id of the topic of the source
     * @param memory the memory of the partition; null for a log
     */
    SourceIntake(SourceMapping mapping, String topicId, @Nullable TableMemory memory, Output output) {
        this.source = mapping.source();
        this.mapping = mapping;
        this.topicId = topicId;
        this.memory = memory;
        this.output = output;
    }

    /** Takes a record. */
    void take(SourceRecord record, long nowMs) {
        byte[] key = record.key();
        SourceOutcome outcome = mapping.map(record, nowMs);
        if (key == null || key.length > SourcePlace.MAX_KEY_BYTES || memory == null) {
            take(record, outcome);
        } else if (outcome instanceof SourceOutcome.Own own) {
            takeTombstone(record, key, own, memory);
        } else {
            takeRow(record, key, outcome, memory);
        }
    }

    private void take(SourceRecord record, SourceOutcome outcome) {
        if (outcome instanceof SourceOutcome.Taken taken) {
            Event event = taken.event();
            Event timed = event.occurredAt() == null ? event.withOccurredAt(record.timestampMs()) : event;
            output.event(place(record).on(timed));
        } else if (outcome instanceof SourceOutcome.Faulty faulty) {
            output.reject(record, faulty.fault().rejection());
        }
    }

    private SourcePlace place(SourceRecord record) {
        return SourcePlace.of(source, topicId, record);
    }

    private void takeRow(SourceRecord record, byte[] key, SourceOutcome outcome, TableMemory rows) {
        TableRow former = rows.row(key);
        long print = isQuiet(former) ? 0 : RecordPrint.of(record);
        long first = record.offset();
        if (former != null && former.awaits(print)) {
            TableRow left = former.without(print);
            if (print != former.print()) {
                sendTruthAgain(record, key, left, rows);
                return;
            }
            former = left;
            first = former.first();
        }
        if (former != null && isReturnedTooLate(record, former)) {
            takeOutReturned(record, outcome, former);
            sendTruthAgain(record, key, former, rows);
            return;
        }
        takeVersion(record, key, outcome, former, first, print, rows);
    }

    /** Returns true if an undo has sent the record, and producers have written a newer version since its delete. */
    private static boolean isReturnedTooLate(SourceRecord record, TableRow newest) {
        Long deleted = SourceReturn.deletedOffset(record);
        return deleted != null && !newest.isGone() && newest.offset() > deleted && newest.offset() < record.offset();
    }

    /** Takes the event out that the undo has brought back, unless the newer version is in its place. */
    private void takeOutReturned(SourceRecord record, SourceOutcome outcome, TableRow newest) {
        if (outcome instanceof SourceOutcome.Taken taken
                && !taken.event().stream().value().equals(newest.stream())) {
            Event event = taken.event();
            output.gone(new SourceGone(event.stream(), event.id(), place(record), true));
        }
    }

    /** Returns true if nothing of the row that was sent again is under way, as almost always. */
    private static boolean isQuiet(@Nullable TableRow row) {
        return row == null || row.underWay().isEmpty();
    }

    /** Takes what a producer has written, or what was sent again and is the newest version still. */
    private void takeVersion(
            SourceRecord record,
            byte[] key,
            SourceOutcome outcome,
            @Nullable TableRow former,
            long first,
            long print,
            TableMemory rows) {
        String formerStream = former == null ? null : former.stream();
        String stream = outcome instanceof SourceOutcome.Taken taken
                ? taken.event().stream().value()
                : outcome instanceof SourceOutcome.Dropped ? formerStream : null;
        String left = formerStream == null ? streamOfGone(outcome) : formerStream;
        EventId id = id(outcome);
        if (left != null && id != null && !left.equals(stream)) {
            output.gone(new SourceGone(new StreamName(left), id, place(record), stream != null));
        }
        take(record, outcome);
        // Read again, after a reset.
        TableRow later = former != null && former.offset() > record.offset() ? former : null;
        long begin = later == null ? first : later.first();
        long newest = later == null ? record.offset() : later.offset();
        List<Long> underWay = former == null ? List.of() : former.underWay();
        rows.put(key, new TableRow(begin, newest, stream, outcome instanceof SourceOutcome.Gone, print, underWay));
    }

    /**
     * Sends the newest version of a row again. It lies before the record at hand and is newer all the same: the record
     * is a tombstone of an older version, or an older version that was sent again. If it is under way already, it will
     * be read later than the record at hand, and so lies behind it.
     */
    private void sendTruthAgain(SourceRecord record, byte[] key, TableRow row, TableMemory rows) {
        if (row.awaits(row.print())) {
            rows.put(key, row);
            return;
        }
        Found found = output.find(record, row.offset());
        if (found == null) {
            rows.put(key, row);
            return;
        }
        SourceRecord sent = marked(found);
        output.sendAgain(sent);
        rows.put(key, row.sentAgain(RecordPrint.of(sent)));
    }

    /**
     * Marks a record that would not be known again: a null value of a producer is like any other, and a record does not
     * keep the time by which it differs from an equal one. All else is unchanged.
     */
    private static SourceRecord marked(Found found) {
        SourceRecord record = found.record();
        boolean isKnown = record.value() != null && found.keepsTime();
        if (isKnown || record.header(AGAIN) != null || record.header(TombstoneHeader.CAUSE.key()) != null) {
            return record;
        }
        List<SourceRecord.Header> headers = new ArrayList<>(record.headers());
        headers.add(new SourceRecord.Header(AGAIN, record.at().getBytes(StandardCharsets.UTF_8)));
        return new SourceRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestampMs(),
                record.key(),
                record.value(),
                headers);
    }

    /** Returns the stream of a row that is gone, if its key alone names it. */
    private static @Nullable String streamOfGone(SourceOutcome outcome) {
        StreamName stream = outcome instanceof SourceOutcome.Gone gone ? gone.stream() : null;
        return stream == null ? null : stream.value();
    }

    /** Returns the id of the event of the key; null if the event stays as it is. */
    private static @Nullable EventId id(SourceOutcome outcome) {
        if (outcome instanceof SourceOutcome.Taken taken) {
            return taken.event().id();
        } else if (outcome instanceof SourceOutcome.Gone gone) {
            return gone.id();
        }
        return outcome instanceof SourceOutcome.Faulty faulty ? faulty.id() : null;
    }

    /**
     * Takes a tombstone of Ebb. A record of its key between the judged version and the tombstone was never judged, and
     * yet is deleted for all who read the topic: it is sent again (F-7), unless it is a copy of the judged version itself:
     * else source and engine could go on for ever, each with the copy before the last. A tombstone that is read a second time, after a
     * reset, has had its consequences.
     */
    private void takeTombstone(SourceRecord record, byte[] key, SourceOutcome.Own own, TableMemory rows) {
        TableRow former = rows.row(key);
        boolean isNew = record.offset() > rows.lastTombstone();
        if (isNew) {
            rows.tombstone(record.offset());
        }
        long print = isQuiet(former) ? 0 : RecordPrint.of(record);
        if (former != null && former.awaits(print)) {
            takeTombstoneAgain(record, key, former, print, rows);
        } else if (former == null || former.first() <= own.judgedOffset()) {
            takeOut(record, key, own, former);
            List<Long> underWay = former == null ? List.of() : former.underWay();
            rows.put(key, new TableRow(record.offset(), record.offset(), null, true, print, underWay));
        } else if (former.offset() < record.offset() && isNew && !former.isGone()) {
            sendTruthAgain(record, key, former, rows);
        }
    }

    private void takeTombstoneAgain(SourceRecord record, byte[] key, TableRow former, long print, TableMemory rows) {
        TableRow left = former.without(print);
        if (print == former.print()) {
            rows.put(key, left);
        } else {
            sendTruthAgain(record, key, left, rows);
        }
    }

    /**
     * Takes the judged version out, in case the source has been read again from an earlier place since its delete, or the
     * version has been sent again since it was judged.
     */
    private void takeOut(SourceRecord record, byte[] key, SourceOutcome.Own own, @Nullable TableRow newest) {
        if (newest != null && newest.stream() != null) {
            long last = Math.max(newest.offset(), own.judgedOffset());
            SourcePlace judged = new SourcePlace(source.name(), topicId, record.partition(), last, key);
            output.gone(new SourceGone(new StreamName(newest.stream()), own.id(), judged, false));
        }
    }
}
