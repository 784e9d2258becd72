package dev.ebb.oracle;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericRecord;

/**
 * Everything that was read, in the order of its partition.
 *
 * @param partitions number of partitions of the events
 * @param inputs the records of the topic of events
 * @param declared declared policies and holds, in force or not, by its offset on the topic of policies
 * @param accepted the records of the topic of accepted policies
 * @param rejected records that were set aside
 * @param audits explanations of the audit
 * @param mirror for each partition what the mirror topic says
 * @param reports the reports of sweeps by their id
 * @param confirmations confirmations of holds by the partitions
 * @param commands commands of people, by their ids
 * @param begun when each command was begun first, by its id
 * @param stores contents of the instances
 * @param sql the rows of the table
 * @param faults faults that the reading itself found
 * @param readAtMs the time by which everything was still
 */
record World(
        int partitions,
        List<Input> inputs,
        Map<Long, Declared> declared,
        List<Accepted> accepted,
        List<Rejected> rejected,
        List<Audit> audits,
        Map<Integer, List<Change>> mirror,
        Map<String, Report> reports,
        List<Confirmation> confirmations,
        Map<String, GenericRecord> commands,
        Map<String, Long> begun,
        List<Row> stores,
        List<Row> sql,
        List<String> faults,
        long readAtMs) {

    /** A record of the topic of events; its value is null if it cannot be read, or was left out where it was set aside. */
    record Input(int partition, long offset, long timestampMs, Content key, Content bytes, GenericRecord value) {

        String at() {
            return "events-" + partition + "@" + offset;
        }
    }

    /** A record of the topic of policies as it is. */
    record Declared(Content key, Content bytes) {}

    /** A policy or hold that came into force; null removes. A file with an id comes into force with its last record. */
    /** @param version its offset on the topic of policies, or that of the last record of its file */
    record Accepted(long offset, long version, long timestampMs, String key, GenericRecord value, String file) {}

    /**
     * A record that was set aside, and where it says that it came from; the SHA-256 of its bytes if they were left out, or
     * else null.
     */
    record Rejected(
            Content key, Content bytes, String reason, String topic, int partition, long offset, String leftOut) {

        Rejected(Content key, Content bytes, String reason, String topic, int partition, long offset) {
            this(key, bytes, reason, topic, partition, offset, null);
        }

        /** Returns true if the rejected record has those contents, or a part of them is left of it. */
        boolean isOf(Content otherKey, Content otherBytes) {
            if (leftOut == null) {
                return Objects.equals(bytes, otherBytes) && Objects.equals(key, otherKey);
            }
            return bytes == null
                    && leftOut.equals(otherBytes == null ? "" : otherBytes.sha256())
                    && (key == null ? otherKey == null : otherKey != null && key.isBeginningOf(otherKey));
        }
    }

    record Audit(
            String auditId,
            String stream,
            String cause,
            String scope,
            Long policyVersion,
            String sweepId,
            String commandId,
            List<String> ids,
            long bytes,
            Long oldestAnchor,
            Long newestAnchor,
            long atMs,
            String action) {}

    /** A row or, where it is null, a tombstone with what its headers say. */
    record Change(long offset, long timestampMs, Row.Key key, Row row, Reason reason) {}

    /** Reason why a row went; texts are empty where there are none. */
    record Reason(String cause, String scope, long policyVersion, String sweepId, String commandId) {}

    record Report(long sweepPointMs, long policyVersion, boolean isByCommand) {}

    /** A partition acts on all holds up to a version. */
    record Confirmation(int partition, long offset, long atMs) {}
}
