package dev.ebb.serde.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.PolicySamples;
import dev.ebb.model.ProjectFiles;
import dev.ebb.serde.text.PolicyJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A-14")
class MirrorRowsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long T0 = Instant.parse("2026-11-21T10:00:00.001Z").toEpochMilli();

    private static final StreamName STREAM = new StreamName("jobs/eu-1");

    private final MirrorRows rows = new MirrorRows();

    @Test
    void shouldWriteAnEventFieldByField() {
        // given
        Event event = new Event(
                new StreamName("orders/eu-1"),
                new EventId("e-1"),
                "paid",
                "completed",
                T0 - 1001,
                T0 - 501,
                OwnTtl.of(3600L, null, false),
                0,
                null,
                Map.of("shop", "7"),
                null,
                "{\"a\":1}".getBytes(UTF_8));

        // when
        String row = new String(rows.eventRow(new StoredEvent(event, T0, 0, false)), UTF_8);

        // then
        assertThat(row)
                .isEqualTo(
                        "{\"stored_at\":\"2026-11-21T10:00:00.001Z\",\"stream\":\"orders/eu-1\",\"event_id\":\"e-1\","
                                + "\"namespace\":\"orders\",\"type\":\"paid\",\"status\":\"completed\",\"terminal\":true,"
                                + "\"occurred_at\":\"2026-11-21T09:59:59.000Z\",\"completed_at\":\"2026-11-21T09:59:59.500Z\","
                                + "\"ttl_seconds\":3600,\"no_expiration\":false,\"execution\":0,"
                                + "\"metadata\":\"{\\\"shop\\\":\\\"7\\\"}\",\"payload\":\"eyJhIjoxfQ==\",\"size_bytes\":"
                                + event.sizeBytes() + "}");
    }

    @Test
    void shouldWriteAnExecutionFieldByField() {
        assertThat(rows.executionKey(STREAM, 3))
                .asString(UTF_8)
                .isEqualTo("{\"stream\":\"jobs/eu-1\",\"execution\":3}");
        assertThat(fullestExecution())
                .asString(UTF_8)
                .isEqualTo("{\"stream\":\"jobs/eu-1\",\"execution\":3,\"status\":\"done\",\"terminal\":true,"
                        + "\"parent\":\"p\",\"started_at\":\"2026-11-21T10:00:00.001Z\","
                        + "\"completed_at\":\"2026-11-21T10:00:00.002Z\"}");
    }

    @Test
    void shouldWriteTheSameKeyForUpsertAndTombstone() throws IOException {
        // given
        StoredEvent event = event(Map.of(), new byte[0], "type");

        // when
        byte[] first = rows.eventKey(T0, "orders/eu-1", "e-1");
        rows.eventRow(event);
        byte[] second = rows.eventKey(T0, "orders/eu-1", "e-1");

        // then
        assertThat(first).isEqualTo(second);
        assertThat(first)
                .asString(UTF_8)
                .isEqualTo(
                        "{\"stored_at\":\"2026-11-21T10:00:00.001Z\",\"stream\":\"orders/eu-1\",\"event_id\":\"e-1\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "executions", "policies", "audit"})
    void shouldWriteExactlyTheFieldsOfTheConnectorsSchema(String connector) throws IOException {
        // given
        JsonNode config = JSON.readTree(ProjectFiles.file("config/connect/debezium/ebb-" + connector + ".json")
                        .toFile())
                .get("config");

        // when
        List<byte[]> fullest = fullestRows(connector);

        // then
        assertThat(names(fullest.get(0))).isEqualTo(schemaNames(config, "key.converter.schema.content"));
        assertThat(names(fullest.get(1)))
                .containsExactlyInAnyOrderElementsOf(schemaNames(config, "value.converter.schema.content"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "executions", "policies", "audit"})
    void shouldLeaveOutOptionalFieldsOnly(String connector) throws IOException {
        // given
        JsonNode config = JSON.readTree(ProjectFiles.file("config/connect/debezium/ebb-" + connector + ".json")
                        .toFile())
                .get("config");

        // when
        List<String> written = names(emptiestRow(connector));

        // then
        for (JsonNode field : config.get("value.converter.schema.content").get("fields")) {
            assertThat(written.contains(field.get("field").asText())
                            || field.get("optional").asBoolean())
                    .as(field.get("field").asText())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a\u0000b|a\uFFFDb",
                "\uD83D|\uFFFD",
                "x\uDE00y|x\uFFFDy",
                "\uD83D\uDE00|\uD83D\uDE00",
                "\uDE00\uD83D|\uFFFD\uFFFD"
            })
    void shouldReplaceWhatPostgresqlRefuses(String text, String clean) throws IOException {
        // when
        JsonNode row = JSON.readTree(rows.eventRow(event(Map.of(text, text), new byte[0], text)));

        // then
        assertThat(row.get("type").textValue()).isEqualTo(clean);
        assertThat(JSON.readTree(row.get("metadata").textValue()).get(clean).textValue())
                .isEqualTo(clean);
    }

    /** Jackson escapes U+0000, and jsonb refuses the escape as well: the sink of the audit would stand still for ever. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a\u0000b|a\uFFFDb",
                "'\u0000\u0000'|\uFFFD\uFFFD",
                "\\u0000|\\u0000",
                "'\\\u0000'|\\\uFFFD",
                "'\"\u0000'|\"\uFFFD"
            })
    void shouldReplaceWhatPostgresqlRefusesInPoliciesToo(String text, String clean) throws IOException {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).updatedBy(text).reason(text).build();
        PolicyChange change = new PolicyChange("a", PolicyKey.of(Scope.ALL), 1, policy, null, text, text, T0, false);

        // when
        JsonNode row = JSON.readTree(rows.policyRow(policy, 1L, false, T0));
        JsonNode audit = JSON.readTree(rows.auditRow(
                AuditRecord.ofPolicyChange(change, PolicyJson.write(policy).toString())));

        // then
        for (JsonNode written : List.of(row, audit)) {
            assertThat(written.get("reason").textValue()).isEqualTo(clean);
            assertThat(JSON.readTree(written.get("policy").textValue())
                            .get("reason")
                            .textValue())
                    .isEqualTo(clean);
        }
    }

    @Test
    void shouldWriteEveryTextSoThatAParserReadsItBack() throws IOException {
        Random random = new Random(20261121);
        for (int i = 0; i < 2000; i++) {
            // given
            String text = randomText(random);
            byte[] payload = new byte[random.nextInt(40)];
            random.nextBytes(payload);
            Map<String, String> metadata = Map.of(text, "1", text + "x", text, "\"\\", "\n");

            // when
            JsonNode row = JSON.readTree(rows.eventRow(event(metadata, payload, text)));

            // then
            assertThat(row.get("type").textValue()).isEqualTo(text);
            assertThat(row.get("payload").binaryValue()).isEqualTo(payload);
            assertThat(JSON.readValue(row.get("metadata").textValue(), new TypeReference<Map<String, String>>() {}))
                    .isEqualTo(metadata);
        }
    }

    @Test
    void shouldWriteMetadataSortedWhateverTheMap() {
        // when
        byte[] row = rows.eventRow(event(Map.of("c", "3", "a", "1", "b", "2"), new byte[0], "t"));

        // then
        assertThat(new String(row, UTF_8))
                .contains("\"{\\\"a\\\":\\\"1\\\",\\\"b\\\":\\\"2\\\",\\\"c\\\":\\\"3\\\"}\"");
    }

    @Test
    void shouldWriteTimesAsInstantDoes() throws IOException {
        Random random = new Random(20261121);
        for (int i = 0; i < 5000; i++) {
            // given
            long ms = random.nextLong(253_402_300_800_000L);

            // when
            JsonNode key = JSON.readTree(rows.eventKey(ms, "s", "e"));

            // then
            assertThat(Instant.parse(key.get("stored_at").textValue())).isEqualTo(Instant.ofEpochMilli(ms));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1970-01-01T00:00:00.000Z",
        "0, 1970-01-01T00:00:00.000Z",
        "951782400000, 2000-02-29T00:00:00.000Z",
        "1709251199999, 2024-02-29T23:59:59.999Z",
        "4107542400000, 2100-03-01T00:00:00.000Z",
        "253402300799999, 9999-12-31T23:59:59.999Z",
        "253402300800000, 9999-12-31T23:59:59.999Z",
        "9223372036854775807, 9999-12-31T23:59:59.999Z"
    })
    void shouldKeepTimesWithinWhatSqlHolds(long ms, String text) throws IOException {
        assertThat(JSON.readTree(rows.eventKey(ms, "s", "e")).get("stored_at").textValue())
                .isEqualTo(text);
    }

    @Test
    void shouldWriteUnlimitedAsTheGreatestNumberAndInheritedAsNothing() throws IOException {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build();

        // when
        JsonNode row = JSON.readTree(rows.policyRow(policy, null, true, T0));

        // then
        assertThat(row.get("max_age_ms").longValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(row.has("max_count")).isFalse();
        assertThat(JSON.readTree(row.get("policy").textValue()).get("maxAge").textValue())
                .isEqualTo("unlimited");
    }

    @Test
    void shouldWriteABigPayload() throws IOException {
        // given
        byte[] payload = new byte[700_000];
        Arrays.fill(payload, (byte) '"');

        // when
        JsonNode row = JSON.readTree(rows.eventRow(event(Map.of("quotes", "\"".repeat(100_000)), payload, "t")));

        // then
        assertThat(row.get("payload").binaryValue()).isEqualTo(payload);
    }

    private List<byte[]> fullestRows(String connector) {
        return switch (connector) {
            case "events" -> List.of(rows.eventKey(T0, "s", "e"), fullestEvent());
            case "executions" -> List.of(rows.executionKey(STREAM, 3), fullestExecution());
            case "policies" -> List.of(rows.policyKey(Scope.ALL), rows.policyRow(PolicySamples.full(), 3L, false, T0));
            default -> List.of(rows.auditKey("a"), fullestAudit());
        };
    }

    private byte[] emptiestRow(String connector) {
        return switch (connector) {
            case "events" -> rows.eventRow(event(Map.of(), new byte[0], ""));
            case "executions" -> rows.executionRow(STREAM, Execution.undeclared(3), null);
            case "policies" -> rows.policyRow(RetentionPolicy.of(Scope.ALL).build(), null, true, T0);
            default ->
                rows.auditRow(AuditRecord.ofPolicyChange(
                        new PolicyChange("a", PolicyKey.of(Scope.ALL), 1, null, null, "", "", T0, false), null));
        };
    }

    /** A record that fails is set aside, and the row of the next one must not begin with what was written of it. */
    @Test
    @Tag("O-20")
    void shouldBeginEachRowAnewAfterOneThatWasGivenUp() {
        // given
        byte[] before = rows.policyKey(Scope.ALL);
        AuditRecord repair = AuditRecord.ofUsageRepair("r", STREAM, "1 event, not 2", T0);
        byte[] repairBefore = rows.auditRow(repair);
        StoredEvent withoutPayload = event(Map.of(), nothing(), "");

        // when
        assertThatThrownBy(() -> rows.eventRow(withoutPayload)).isInstanceOf(NullPointerException.class);

        // then
        assertThat(rows.policyKey(Scope.ALL)).isEqualTo(before);
        assertThatThrownBy(() -> rows.eventRow(withoutPayload)).isInstanceOf(NullPointerException.class);
        assertThat(rows.auditRow(repair)).isEqualTo(repairBefore);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // to make it fail in its middle
    private static <T> T nothing() {
        return null;
    }

    private byte[] fullestExecution() {
        return rows.executionRow(STREAM, new Execution(3, "done", true, T0, T0 + 1), new StreamName("p"));
    }

    private byte[] fullestEvent() {
        Event event = new Event(
                new StreamName("s"),
                new EventId("e"),
                "t",
                "done",
                T0,
                T0,
                OwnTtl.of(1L, T0, false),
                1,
                "c",
                Map.of("k", "v"),
                "text/plain",
                new byte[] {1});
        return rows.eventRow(new StoredEvent(event, T0, 0, false));
    }

    /** No single record has a stream and a policy, so the fullest row is made of both kinds. */
    private byte[] fullestAudit() {
        AuditRecord deletes = new AuditRecord(
                "a",
                new Origin("sweep", "command", "eva", "because", "0/7"),
                new StreamName("s"),
                RemovalCause.MAX_AGE,
                "*",
                3,
                List.of("e"),
                1,
                T0,
                T0,
                T0);
        PolicyChange change = new PolicyChange(
                "a", PolicyKey.of(Scope.ALL), 1, PolicySamples.full(), null, "eva", "because", T0, false);
        String first = new String(rows.auditRow(deletes), UTF_8);
        String second = new String(
                rows.auditRow(AuditRecord.ofPolicyChange(
                        change, PolicyJson.write(PolicySamples.full()).toString())),
                UTF_8);
        return (first.substring(0, first.length() - 1) + "," + second.substring(1)).getBytes(UTF_8);
    }

    private static StoredEvent event(Map<String, String> metadata, byte[] payload, String type) {
        Event event = new Event(
                new StreamName("s"),
                new EventId("e"),
                type,
                null,
                T0,
                T0,
                OwnTtl.NONE,
                0,
                null,
                metadata,
                null,
                payload);
        return new StoredEvent(event, T0, 0, false);
    }

    /** What came back is told in SQL like what went (T-2). */
    @Test
    @Tag("T-2")
    void shouldNameTheEventsThatAnUndoHasBroughtBack() throws IOException {
        AuditRecord restored = AuditRecord.ofRestore(
                "a-1",
                Origin.ofCommand("u-1", "anna", "why", "0/9"),
                "c-1",
                new StreamName("s"),
                List.of("x", "y"),
                30,
                1,
                2,
                3);

        JsonNode row = JSON.readTree(rows.auditRow(restored));

        assertThat(row.path("kind").asText()).isEqualTo("RESTORE");
        assertThat(row.path("events").asLong()).isEqualTo(2);
        assertThat(row.path("event_ids").asText()).contains("x", "y");
        assertThat(row.path("command_id").asText()).isEqualTo("u-1");
        assertThat(row.path("actor").asText()).isEqualTo("anna");
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            int codePoint = random.nextInt(4) > 0 ? 1 + random.nextInt(0x7F) : 1 + random.nextInt(0x10FFFF);
            text.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? 'x' : codePoint);
        }
        return text.toString();
    }

    private static List<String> names(byte[] row) throws IOException {
        List<String> names = new ArrayList<>();
        JSON.readTree(row).fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static List<String> schemaNames(JsonNode config, String key) {
        List<String> names = new ArrayList<>();
        config.get(key)
                .get("fields")
                .forEach(field -> names.add(field.get("field").asText()));
        return names;
    }
}
