package dev.ebb.serde.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.ProjectFiles;
import dev.ebb.serde.text.UtcText;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-14")
class CompactRowTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
    private static final long T0 = Instant.parse("2026-11-21T10:00:00.001Z").toEpochMilli();
    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final MirrorRows rows = new MirrorRows(RowForm.COMPACT);
    private final MirrorRows plain = new MirrorRows();

    @Test
    void shouldWriteAKeyByteByByte() {
        assertThat(HexFormat.of().formatHex(rows.eventKey(T0, "s", "é")))
                .isEqualTo("01" + "08" + "0303c531424be8" + "0273" + "03c3a9");
    }

    @Test
    void shouldWriteTheValuesOfJsonInTheOrderOfTheConnector() throws IOException {
        // given
        StoredEvent event = event(Map.of("b", "\"\\\n\u0001", "a", ""), "full", 12, "text/plain");

        // then
        assertSame("events", rows.eventKey(T0, "orders/eu-1", "e"), rows.eventRow(event), plain.eventRow(event));
    }

    @Test
    void shouldWriteAnExecutionInTheOrderOfTheConnector() throws IOException {
        Execution execution = new Execution(3, "done", true, T0, T0 + 1);

        assertSame(
                "executions",
                rows.executionKey(STREAM, 3),
                rows.executionRow(STREAM, execution, STREAM),
                plain.executionRow(STREAM, execution, STREAM));
    }

    @Test
    void shouldWriteRandomRowsAsJsonHasThem() throws IOException {
        Random random = new Random(20261125);
        for (int i = 0; i < 2000; i++) {
            // given
            String text = text(random);
            StoredEvent event = event(
                    random.nextBoolean() ? Map.of() : Map.of(text, text + "x", text + "y", ""),
                    random.nextBoolean() ? null : text,
                    random.nextLong() >>> (1 + random.nextInt(63)),
                    text);

            // then
            assertSame("events", rows.eventKey(T0, "orders/eu-1", "e"), rows.eventRow(event), plain.eventRow(event));
        }
    }

    @Test
    void shouldKeepNullsAndEmptyTextsApart() throws IOException {
        List<byte @Nullable []> values = new ArrayList<>();
        values(rows.eventRow(event(Map.of(), null, 0, "")), values);

        assertThat(values.get(2)).as("status").isNull();
        assertThat(values.get(11)).as("content_type").isEmpty();
        assertThat(values.get(12)).as("metadata").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:00:00.001Z",
        "2026-11-21T10:00:00.001002Z",
        "1969-12-31T23:59:59.999Z",
        "-4712-01-01T00:00:00Z",
        "+10000-01-01T00:00:00.000001Z"
    })
    void shouldFindEveryRowThatWasMadeByHand(Instant storedAt) throws IOException {
        long seconds = ChronoUnit.SECONDS.between(EPOCH, storedAt.truncatedTo(ChronoUnit.SECONDS));

        assertThat(number(key(storedAt))).isEqualTo(seconds * 1_000_000 + storedAt.getNano() / 1000);
    }

    @Test
    void shouldWriteWhatIsTooFarAwayAsInfinity() throws IOException {
        assertThat(number(key(Instant.MAX))).isEqualTo(Long.MAX_VALUE);
        assertThat(number(key(Instant.MIN))).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldWriteOneKeyHoweverTheTimeIsGiven() {
        assertThat(rows.eventKey(Instant.ofEpochMilli(T0), "s", "e")).isEqualTo(rows.eventKey(T0, "s", "e"));
    }

    @Test
    void shouldLeavePoliciesAsJson() {
        assertThat(rows.policyKey(Scope.ALL)).isEqualTo(plain.policyKey(Scope.ALL));
    }

    @Test
    @Tag("O-20")
    void shouldBeginEachRowAnewAfterOneThatWasGivenUp() {
        // given
        byte[] before = rows.executionKey(STREAM, 3);
        StoredEvent withoutPayload = new StoredEvent(
                new Event(STREAM, new EventId("e"), "t", null, T0, T0, OwnTtl.NONE, 0, null, Map.of(), null, nothing()),
                T0,
                0,
                false);

        // when
        assertThatThrownBy(() -> rows.eventRow(withoutPayload)).isInstanceOf(NullPointerException.class);

        // then
        assertThat(rows.executionKey(STREAM, 3)).isEqualTo(before);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // to make it fail in its middle
    private static <T> T nothing() {
        return null;
    }

    private byte[] key(Instant storedAt) throws IOException {
        List<byte @Nullable []> values = new ArrayList<>();
        values(rows.eventKey(storedAt, "s", "e"), values);
        byte[] first = values.get(0);
        assertThat(first).isNotNull();
        return first;
    }

    /** Every value is what JSON has for the column of the connector, and nothing is left over. */
    private static void assertSame(String connector, byte[] key, byte[] row, byte[] json) throws IOException {
        List<byte @Nullable []> values = new ArrayList<>();
        values(key, values);
        values(row, values);
        String[] columns = JSON.readTree(ProjectFiles.file("config/connect/ebb/ebb-" + connector + ".json")
                        .toFile())
                .at("/config/columns")
                .asText()
                .split(",");
        JsonNode expected = JSON.readTree(json);
        assertThat(values).hasSameSizeAs(columns);
        for (int i = 0; i < columns.length; i++) {
            byte[] value = values.get(i);
            JsonNode field = expected.get(columns[i]);
            assertThat(value == null).as(columns[i]).isEqualTo(field == null);
            if (value != null && columns[i].equals("metadata")) {
                assertThat(object(value)).isEqualTo(JSON.readValue(field.asText(), Map.class));
            } else if (value != null) {
                assertThat(text(columns[i], value)).as(columns[i]).isEqualTo(field.asText());
            }
        }
    }

    private static String text(String column, byte[] value) {
        return switch (column) {
            case "stored_at", "occurred_at", "completed_at", "expires_at", "started_at" ->
                millis(EPOCH.plus(number(value), ChronoUnit.MICROS));
            case "ttl_seconds", "execution", "size_bytes" -> Long.toString(number(value));
            case "terminal", "no_expiration" -> Boolean.toString(number(value) != 0);
            case "payload" -> Base64.getEncoder().encodeToString(value);
            default -> new String(value, UTF_8);
        };
    }

    private static String millis(Instant time) {
        byte[] text = new byte[UtcText.LENGTH];
        UtcText.write(time.toEpochMilli(), text, 0);
        return new String(text, UTF_8);
    }

    private static Map<String, String> object(byte[] pairs) {
        List<byte @Nullable []> texts = new ArrayList<>();
        values(ByteBuffer.wrap(pairs), texts);
        Map<String, String> object = new HashMap<>();
        for (int i = 0; i < texts.size(); i += 2) {
            object.put(new String(texts.get(i), UTF_8), new String(texts.get(i + 1), UTF_8));
        }
        return object;
    }

    private static long number(byte[] value) {
        return value.length == 0 ? 0 : new BigInteger(value).longValueExact();
    }

    private static void values(byte[] part, List<byte @Nullable []> values) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(part);
        assertThat(bytes.get()).as("version").isEqualTo((byte) 1);
        values(bytes, values);
    }

    private static void values(ByteBuffer bytes, List<byte @Nullable []> values) {
        while (bytes.hasRemaining()) {
            int size = 0;
            int group = 0x80;
            for (int shift = 0; (group & 0x80) != 0; shift += 7) {
                group = bytes.get();
                size |= (group & 0x7F) << shift;
            }
            byte[] value = size == 0 ? null : new byte[size - 1];
            if (value != null) {
                bytes.get(value);
            }
            values.add(value);
        }
    }

    private static StoredEvent event(
            Map<String, String> metadata, @Nullable String status, long number, @Nullable String contentType) {
        Event event = new Event(
                STREAM,
                new EventId("e"),
                "t\u0000\uD83D",
                status,
                T0 - number,
                number % 2 == 0 ? null : T0,
                number % 3 == 0 ? OwnTtl.NONE : OwnTtl.of(number, T0 + 9, false),
                number,
                status,
                metadata,
                contentType,
                new byte[(int) (number & 0xFFF)]);
        return new StoredEvent(event, T0, 0, event.completedAt() == null);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(20) == 0 ? 20_000 : 30); i > 0; i--) {
            text.append((char) random.nextInt(random.nextInt(4) == 0 ? 0x10000 : 0x80));
        }
        return text.toString();
    }
}
