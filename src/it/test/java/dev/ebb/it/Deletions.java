package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Everything that was deleted, from the mirror topic, and every explanation, from the audit topic. */
final class Deletions {

    private final List<Tombstone> tombstones = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<String, EventRow> rows = new HashMap<>();
    private final List<Why> explained = new ArrayList<>();
    private final List<String> audits = new ArrayList<>();
    private final List<String> policyChanges = new ArrayList<>();
    private long auditedBytes;

    /** Reason why an event went. */
    record Why(String stream, String id, String cause, String scope, long version, String sweepId) {

        String causeAndKey() {
            return cause + " " + stream + "|" + id;
        }
    }

    /** An event that went, as it was last seen. */
    record Tombstone(EventRow row, Why why, long timestampMs) {}

    /** Plays the mirror topic and reads the audit topic. */
    static Deletions of(
            List<ConsumerRecord<byte[], byte[]>> mirror,
            List<ConsumerRecord<byte[], byte[]>> audit,
            EbbAvroDeserializer avro) {
        Deletions deletions = new Deletions();
        mirror.forEach(deletions::mirrored);
        audit.forEach(record -> deletions.audited((GenericRecord) avro.deserialize(record.topic(), record.value())));
        return deletions;
    }

    List<Tombstone> tombstones() {
        return tombstones;
    }

    /** Tombstones for what was not there. */
    List<String> faults() {
        return faults;
    }

    /** The rows that the mirror topic leaves. */
    List<EventRow> rows() {
        return List.copyOf(rows.values());
    }

    List<Why> explained() {
        return explained;
    }

    /**
     * Explanations that no tombstone has: of events that came and went within a transaction, so that they never had a row. A
     * tombstone that is missing leaves a row in {@link #rows}.
     */
    List<Why> unseen() {
        List<Why> unseen = new ArrayList<>(explained);
        tombstones.forEach(tombstone -> unseen.remove(tombstone.why()));
        return unseen;
    }

    /** A line for each audit record of a run of deletes. */
    List<String> audits() {
        return audits;
    }

    /** The scopes of the audit records of changes of policies. */
    List<String> policyChanges() {
        return policyChanges;
    }

    long auditedBytes() {
        return auditedBytes;
    }

    /** Time of the last delete of each sweep that is not in the given ones. */
    Map<String, Long> lastDeletesOfSweepsNotIn(Set<String> reported) {
        return tombstones.stream()
                .filter(tombstone -> !tombstone.why().sweepId().isEmpty())
                .filter(tombstone -> !reported.contains(tombstone.why().sweepId()))
                .collect(Collectors.toMap(
                        tombstone -> tombstone.why().sweepId(), Tombstone::timestampMs, Math::max, TreeMap::new));
    }

    private void mirrored(ConsumerRecord<byte[], byte[]> record) {
        String key = record.partition() + " " + new String(record.key(), UTF_8);
        if (record.value() != null) {
            rows.put(key, EventRow.ofMirror(record.value()));
            return;
        }
        EventRow row = rows.remove(key);
        if (row == null) {
            faults.add("nothing was there to be deleted: " + key + " at offset " + record.offset());
        } else {
            tombstones.add(new Tombstone(row, why(row, record), record.timestamp()));
        }
    }

    private static Why why(EventRow row, ConsumerRecord<byte[], byte[]> record) {
        return new Why(
                row.stream(),
                row.id(),
                header(record, EbbHeaders.CAUSE),
                header(record, EbbHeaders.SCOPE),
                Long.parseLong(header(record, EbbHeaders.POLICY_VERSION)),
                header(record, EbbHeaders.SWEEP_ID));
    }

    private void audited(GenericRecord audit) {
        if (!"DELETE".equals(audit.get("action").toString())) {
            policyChanges.add(audit.get("action") + " " + audit.get("scope"));
            return;
        }
        String stream = audit.get("stream").toString();
        String cause = audit.get("cause").toString();
        String scope = audit.get("scope").toString();
        long version = (long) audit.get("policyVersion");
        String sweepId =
                audit.get("sweepId") == null ? "" : audit.get("sweepId").toString();
        List<?> ids = (List<?>) audit.get("eventIds");
        ids.forEach(id -> explained.add(new Why(stream, id.toString(), cause, scope, version, sweepId)));
        long bytes = (long) audit.get("bytes");
        auditedBytes += bytes;
        audits.add(audit.get("auditId") + " " + stream + " " + cause + " " + scope + " " + version + " " + ids.size()
                + " " + bytes);
    }

    static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
