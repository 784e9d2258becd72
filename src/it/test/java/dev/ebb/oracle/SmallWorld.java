package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.oracle.World.Accepted;
import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Confirmation;
import dev.ebb.oracle.World.Declared;
import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Reason;
import dev.ebb.oracle.World.Rejected;
import dev.ebb.oracle.World.Report;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** A world of one partition that is right by itself, and whose parts a test may then change. */
final class SmallWorld {

    static final String STREAM = "a/1";
    static final long START = 1_700_000_000_000L;
    static final long MAX_AGE_MS = 10_000;

    final List<Input> inputs = new ArrayList<>();
    final Map<Long, Declared> declared = new HashMap<>();
    final List<Accepted> accepted = new ArrayList<>();
    final List<Rejected> rejected = new ArrayList<>();
    final List<Audit> audits = new ArrayList<>();
    final List<Change> mirror = new ArrayList<>();
    final Map<String, Report> reports = new HashMap<>();
    final List<Confirmation> confirmations = new ArrayList<>();
    final Map<String, GenericRecord> commands = new HashMap<>();
    final Map<Row.Key, Row> stores = new TreeMap<>(java.util.Comparator.comparing(Row.Key::toString));
    final Map<Row.Key, Row> sql = new TreeMap<>(java.util.Comparator.comparing(Row.Key::toString));
    private final Map<String, Row> alive = new HashMap<>();

    SmallWorld() {
        policy("namespace:a", "maxAge", "10s");
    }

    Verdict judge() {
        return Judge.judge(new World(
                1,
                inputs,
                declared,
                accepted,
                rejected,
                audits,
                Map.of(0, mirror),
                reports,
                confirmations,
                commands,
                Map.of(),
                List.copyOf(stores.values()),
                List.copyOf(sql.values()),
                List.of(),
                START + 1_000_000));
    }

    /** Puts a policy into force. @return its version */
    long policy(String scope, String field, Object value) {
        GenericRecord policy = new GenericRecordBuilder(Schemas.of("RetentionPolicy"))
                .set("scope", scope)
                .set(field, value)
                .build();
        return accept(scope, policy);
    }

    long hold(String name, String covers) {
        GenericRecord hold = new GenericRecordBuilder(Schemas.of("Hold"))
                .set("case", name)
                .set("covers", covers)
                .build();
        return accept("hold:" + name, hold);
    }

    long accept(String key, GenericRecord value) {
        long version = accepted.size();
        acceptLate(key, version, value);
        return version;
    }

    /** Puts a change into force whose version is not that of its place. */
    void acceptLate(String key, long version, GenericRecord value) {
        long offset = accepted.size();
        accepted.add(new Accepted(offset, version, START + offset, key, value, ""));
    }

    /** An event that was stored in the moment of its record, that many milliseconds after the start. */
    Row event(String id, String status, long atMs) {
        Input input = input(event(id, status), START + atMs);
        return store(Expected.ofEvent(input, null, START + atMs), START + atMs);
    }

    static GenericRecord event(String id, String status) {
        return new GenericRecordBuilder(Schemas.of("Event"))
                .set("stream", STREAM)
                .set("id", id)
                .set("status", status)
                .set("payload", ByteBuffer.wrap(id.getBytes(UTF_8)))
                .build();
    }

    static GenericRecord update(String id, String status) {
        return new GenericRecordBuilder(Schemas.of("EventUpdate"))
                .set("stream", STREAM)
                .set("id", id)
                .set("status", status)
                .build();
    }

    Input input(GenericRecord value, long timestampMs) {
        Content bytes = Content.of(("record " + inputs.size()).getBytes(UTF_8));
        Input input = new Input(0, inputs.size(), timestampMs, Content.of(STREAM.getBytes(UTF_8)), bytes, value);
        inputs.add(input);
        return input;
    }

    Row store(Row row, long timestampMs) {
        mirror.add(new Change(mirror.size(), timestampMs, row.key(), row, null));
        stores.put(row.key(), row);
        sql.put(row.key(), row);
        alive.put(row.id(), row);
        return row;
    }

    /** A sweep of that moment deletes them, and explains it. */
    void sweep(long atMs, String cause, String scope, long version, Row... rows) {
        String sweepId = "sweep-0-" + (START + atMs) + "-" + mirror.size();
        reports.put(sweepId, new Report(START + atMs, accepted.size() - 1, false));
        Reason reason = new Reason(cause, scope, version, sweepId, "");
        for (Row row : rows) {
            delete(row, atMs, reason);
        }
        audit(reason, START + atMs, rows);
    }

    void delete(Row row, long atMs, Reason reason) {
        mirror.add(new Change(mirror.size(), START + atMs, row.key(), null, reason));
        stores.remove(row.key());
        sql.remove(row.key());
        alive.remove(row.id());
    }

    void audit(Reason reason, long atMs, Row... rows) {
        audit(reason, atMs, Row::storedAt, rows);
    }

    /** @param anchor the time from which the age of a row counts */
    void audit(Reason reason, long atMs, ToLongFunction<Row> anchor, Row... rows) {
        audit("audit-" + audits.size(), reason, atMs, anchor, rows);
    }

    /** The event has gone because that record brought another one with its id. */
    void auditReplaced(Input successor, Reason reason, long atMs, ToLongFunction<Row> anchor, Row row) {
        String auditId = "replaced-ebb.events-" + successor.partition() + "-" + successor.offset() + "-0";
        audit(auditId, reason, atMs, anchor, row);
    }

    private void audit(String auditId, Reason reason, long atMs, ToLongFunction<Row> anchor, Row... rows) {
        List<String> ids = new ArrayList<>();
        long bytes = 0;
        long oldest = Long.MAX_VALUE;
        long newest = 0;
        for (Row row : rows) {
            ids.add(row.id());
            bytes += row.size();
            oldest = Math.min(oldest, anchor.applyAsLong(row));
            newest = Math.max(newest, anchor.applyAsLong(row));
        }
        audits.add(new Audit(
                auditId,
                STREAM,
                reason.cause(),
                reason.scope(),
                reason.policyVersion(),
                reason.sweepId(),
                reason.commandId(),
                ids,
                bytes,
                oldest,
                newest,
                atMs,
                "DELETE"));
    }
}
