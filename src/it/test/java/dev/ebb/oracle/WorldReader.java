package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.oracle.World.Accepted;
import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Confirmation;
import dev.ebb.oracle.World.Declared;
import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Reason;
import dev.ebb.oracle.World.Rejected;
import dev.ebb.oracle.World.Report;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the world, once; nothing may change it meanwhile. */
final class WorldReader {

    private static final String HOLDS = "holds-of-partition-";

    private final OracleSources sources;
    private final Topic topic;
    private final Wire wire;
    private final List<Input> inputs = new ArrayList<>();
    private final Map<Long, Declared> declared = new HashMap<>();
    private final List<Accepted> accepted = new ArrayList<>();
    private final List<Rejected> rejected = new ArrayList<>();

    /** Where the records were whose values were too big to be set aside: they are too big to be kept here as well. */
    private final Set<String> leftOut = new HashSet<>();

    private final List<Audit> audits = new ArrayList<>();
    private final Map<Integer, List<Change>> mirror = new HashMap<>();
    private final Map<String, Report> reports = new HashMap<>();
    private final List<Confirmation> confirmations = new ArrayList<>();
    private final Map<String, GenericRecord> commands = new HashMap<>();
    private final Map<String, Long> begun = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    WorldReader(OracleSources sources, Topic topic) {
        this.sources = sources;
        this.topic = topic;
        this.wire = new Wire(sources.registry());
    }

    World read() {
        String prefix = sources.topicsPrefix();
        read(
                prefix + "policies",
                record -> declared.put(
                        record.offset(), new Declared(Content.of(record.key()), Content.of(record.value()))));
        read(prefix + "policies.accepted", this::accepted);
        read(prefix + "rejected", this::rejected);
        read(prefix + "events", this::input);
        read(prefix + "commands", this::command);
        read(prefix + "results", this::result);
        read(prefix + "reports", this::report);
        read(prefix + "audit", this::audit);
        long readAtMs = System.currentTimeMillis();
        read(prefix + "mirror.events", this::mirrored);
        List<Row> stores = new Rest(sources).events(faults::add);
        List<Row> sql = sql();
        return new World(
                topic.partitions(prefix + "events"),
                inputs,
                declared,
                accepted,
                rejected,
                audits,
                mirror,
                reports,
                confirmations,
                commands,
                begun,
                stores,
                sql,
                faults,
                readAtMs);
    }

    private void read(String name, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        topic.read(
                name,
                record -> Unexplained.runs(
                        () -> record.topic() + "-" + record.partition() + "@" + record.offset(),
                        faults::add,
                        () -> taker.accept(record)));
    }

    private void input(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord value =
                leftOut.contains(record.partition() + "@" + record.offset()) ? null : wire.readInput(record.value());
        boolean isOurs = value != null
                && Set.of(Intake.EVENT, Intake.UPDATE, Intake.EXECUTION)
                        .contains(value.getSchema().getName());
        inputs.add(new Input(
                record.partition(),
                record.offset(),
                record.timestamp(),
                Content.of(record.key()),
                Content.of(record.value()),
                isOurs ? value : null));
    }

    private void accepted(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        String version = Topic.header(record, "ebb-policy-version");
        // Accepted settings are no Avro; those of the first start have no version.
        boolean isOfSettings = key.equals("settings") && !version.isEmpty();
        // Keys that no gate writes are of no policy, so their offsets are no versions either.
        if (PolicyValidity.isKey(key) || isOfSettings) {
            String schema = key.startsWith("hold:") ? "Hold" : "RetentionPolicy";
            accepted.add(new Accepted(
                    record.offset(),
                    version.isEmpty() ? record.offset() : Long.parseLong(version),
                    record.timestamp(),
                    key,
                    isOfSettings ? null : wire.read(record.value(), schema),
                    Topic.header(record, "ebb-apply-id")));
        }
    }

    private void rejected(ConsumerRecord<byte[], byte[]> record) {
        Rejected aside = new Rejected(
                Content.of(record.key()),
                Content.of(record.value()),
                Topic.header(record, "ebb-rejected-reason"),
                Topic.header(record, "ebb-rejected-topic"),
                Integer.parseInt(Topic.header(record, "ebb-rejected-partition")),
                Long.parseLong(Topic.header(record, "ebb-rejected-offset")),
                leftOut(record));
        rejected.add(aside);
        if (aside.leftOut() != null && aside.topic().endsWith("events")) {
            leftOut.add(aside.partition() + "@" + aside.offset());
        }
    }

    private static String leftOut(ConsumerRecord<byte[], byte[]> record) {
        if (record.headers().lastHeader("ebb-rejected-value-bytes") == null) {
            return null;
        }
        boolean hadValue = record.headers().lastHeader("ebb-rejected-value-sha256") != null;
        return hadValue ? Topic.header(record, "ebb-rejected-value-sha256") : "";
    }

    private void command(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord command = wire.read(record.value(), "Command");
        if (command != null && command.getSchema().getName().equals("Command")) {
            commands.put(Fields.text(command, "commandId"), command);
        }
    }

    private void result(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord result = wire.read(record.value(), "CommandResult");
        if (result == null) {
            return;
        }
        String id = Fields.text(result, "commandId");
        if (id.startsWith(HOLDS)) {
            confirmations.add(new Confirmation(
                    Integer.parseInt(id.substring(HOLDS.length())),
                    Fields.number((GenericRecord) result.get("outcome"), "policyVersion"),
                    Fields.number(result, "updatedAt")));
        } else {
            begun.merge(id, Fields.number(result, "startedAt"), Math::min);
        }
    }

    private void report(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord report = wire.read(record.value(), "SweepReport");
        reports.put(
                Fields.text(report, "sweepId"),
                new Report(
                        Fields.number(report, "sweepPoint"),
                        Fields.number(report, "policyVersion"),
                        report.get("commandId") != null));
    }

    private void audit(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord audit = wire.read(record.value(), "AuditRecord");
        List<String> ids = new ArrayList<>();
        ((List<?>) audit.get("eventIds")).forEach(id -> ids.add(id.toString()));
        audits.add(new Audit(
                Fields.text(audit, "auditId"),
                Fields.text(audit, "stream"),
                Fields.textOrEmpty(audit, "cause"),
                Fields.text(audit, "scope"),
                audit.get("policyVersion") == null ? -1L : Fields.number(audit, "policyVersion"),
                Fields.textOrEmpty(audit, "sweepId"),
                Fields.textOrEmpty(audit, "commandId"),
                ids,
                Fields.number(audit, "bytes"),
                Fields.number(audit, "oldestAnchor"),
                Fields.number(audit, "newestAnchor"),
                Fields.number(audit, "at"),
                Fields.text(audit, "action")));
    }

    private void mirrored(ConsumerRecord<byte[], byte[]> record) {
        JsonNode json = Json.parse(new String(record.key(), UTF_8));
        Row row = record.value() == null ? null : Row.ofMirror(Json.parse(new String(record.value(), UTF_8)));
        Map<String, String> reason = new HashMap<>();
        record.headers().forEach(header -> reason.put(header.key(), new String(header.value(), UTF_8)));
        mirrored(record, record.timestamp(), json, row, reason);
    }

    private void mirrored(
            ConsumerRecord<?, ?> record, long timestampMs, JsonNode keyFields, Row row, Map<String, String> why) {
        Row.Key key = new Row.Key(
                keyFields.path("stream").textValue(),
                keyFields.path("event_id").textValue(),
                Instant.parse(keyFields.path("stored_at").textValue()).toEpochMilli());
        String version = why.getOrDefault("ebb-policy-version", "");
        Reason reason = new Reason(
                why.getOrDefault("ebb-cause", ""),
                why.getOrDefault("ebb-scope", ""),
                version.isEmpty() ? -1 : Long.parseLong(version),
                why.getOrDefault("ebb-sweep-id", ""),
                why.getOrDefault("ebb-command-id", ""));
        mirror.computeIfAbsent(record.partition(), any -> new ArrayList<>())
                .add(new Change(record.offset(), timestampMs, key, row, reason));
    }

    private List<Row> sql() {
        List<Row> rows = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(sources.jdbcUrl(), sources.sqlUser(), sources.sqlPassword());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(5000);
            try (ResultSet found = statement.executeQuery("SELECT " + Row.COLUMNS + " FROM event")) {
                while (found.next()) {
                    addRow(found, rows);
                }
            }
            try (ResultSet found =
                    statement.executeQuery("SELECT audit_id FROM retention_audit WHERE kind = 'DELETE'")) {
                compareAudits(found);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sources.jdbcUrl(), e);
        }
        return rows;
    }

    private void addRow(ResultSet found, List<Row> rows) throws SQLException {
        String at = "SQL: " + found.getString(1) + " " + found.getString(2);
        try {
            rows.add(Row.ofSql(found));
        } catch (RuntimeException e) {
            faults.add(at + " cannot be explained: " + e);
        }
    }

    private void compareAudits(ResultSet found) throws SQLException {
        Set<String> expected = new HashSet<>();
        audits.stream()
                .filter(audit -> audit.action().equals("DELETE"))
                .forEach(audit -> expected.add(audit.auditId()));
        while (found.next()) {
            if (!expected.remove(found.getString(1))) {
                faults.add("SQL: audit " + found.getString(1) + " is on no topic");
            }
        }
        expected.forEach(id -> faults.add("SQL: audit " + id + " is missing"));
    }
}
