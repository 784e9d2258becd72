package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static dev.ebb.topology.TopologyFixture.TOPICS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.records.Decoded;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.OmittedValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The broker limits what comes compressed, so a record of any size may come. None of them ends anything, on no topic that
 * is read; the fixture looks that nothing goes out that the broker would not take.
 */
@Tag("O-20")
class OversizedRecordsTest {

    private static final byte[] KEY = bytes("s");
    private static final String SOME_HASH = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    private static final int LIMIT = 1024 * 1024;
    private static final int TAKEN = LIMIT + 32 * 1024;

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    static List<String> topics() {
        return List.of(TOPICS.events(), TOPICS.rekey(), TOPICS.commands(), TOPICS.policies(), TOPICS.assessments());
    }

    @ParameterizedTest
    @MethodSource("topics")
    void shouldSetAsideWithoutItsValueWhatDoesNotFit(String topic) {
        // given
        byte[] value = new byte[3_000_000];

        // when
        fixture.pipe(topic, KEY, value, new RecordHeaders().add("own", new byte[] {1, 2}), T0 - 77);
        fixture.event(event("s", "after"));

        // then
        TestRecord<byte[], byte[]> rejected = onlyRejected();
        assertThat(rejected.value()).isNull();
        assertThat(rejected.key()).isEqualTo(KEY);
        assertThat(rejected.headers().lastHeader("own").value()).containsExactly(1, 2);
        assertThat(header(rejected, "ebb-rejected-reason")).isEqualTo("TOO_BIG");
        assertThat(header(rejected, "ebb-rejected-topic")).isEqualTo(topic);
        assertThat(header(rejected, "ebb-rejected-partition")).isEqualTo("0");
        assertThat(header(rejected, "ebb-rejected-offset")).isEqualTo("0");
        assertThat(header(rejected, "ebb-rejected-timestamp"))
                .isEqualTo(
                        topic.equals(TOPICS.commands()) || topic.equals(TOPICS.assessments())
                                ? "0"
                                : Long.toString(T0 - 77));
        assertThat(header(rejected, "ebb-rejected-value-bytes")).isEqualTo("3000000");
        assertThat(header(rejected, "ebb-rejected-value-sha256")).isEqualTo(sha256(value));
        assertThat(header(rejected, "ebb-rejected-key-bytes")).isEqualTo("1");
        assertThat(header(rejected, "ebb-rejected-headers-left-out")).isEqualTo("0");
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.TOO_BIG);
        assertThat(fixture.ids("s")).containsExactly("after");
    }

    @ParameterizedTest
    @MethodSource("topics")
    void shouldTellTheSizeAndHashOfAValueThatTheConsumerHasLeftOut(String topic) {
        // given
        byte[] value = new byte[3_000_000];
        Headers headers = new RecordHeaders().add("own", new byte[] {1, 2});
        byte[] instead = OmittedValue.from(headers, ByteBuffer.wrap(value));

        // when
        fixture.pipe(topic, KEY, instead, headers, T0);
        fixture.event(event("s", "after"));

        // then
        TestRecord<byte[], byte[]> rejected = onlyRejected();
        assertThat(rejected.value()).isNull();
        assertThat(header(rejected, "ebb-rejected-reason")).isEqualTo("TOO_BIG");
        assertThat(header(rejected, "ebb-rejected-detail")).startsWith("the record has 3000");
        assertThat(header(rejected, "ebb-rejected-value-bytes")).isEqualTo("3000000");
        assertThat(header(rejected, "ebb-rejected-value-sha256")).isEqualTo(sha256(value));
        assertThat(rejected.headers().lastHeader("ebb-left-out")).isNull();
        assertThat(rejected.headers().lastHeader("own").value()).containsExactly(1, 2);
        assertThat(fixture.ids("s")).containsExactly("after");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "5 ", "-5 f", "99999999999 f", "x f", "-5 " + SOME_HASH, "2147483648 " + SOME_HASH})
    void shouldNotBeMisledByAMarkOfSomebodyElse(String mark) {
        // given an empty value and what is no mark, or one without a hash
        Headers headers = new RecordHeaders().add("ebb-left-out", bytes(mark));

        // when
        fixture.send(KEY, new byte[0], T0, headers);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.UNDECODABLE);
        assertThat(onlyRejected().headers().lastHeader("ebb-left-out")).isNull();
    }

    @ParameterizedTest
    @MethodSource("topics")
    void shouldSetAsideKeysAndHeadersThatDoNotFit(String topic) {
        // given
        byte[] bigKey = new byte[3_000_000];
        Arrays.fill(bigKey, (byte) 'k');
        Headers big = new RecordHeaders()
                .add("kept", new byte[] {1})
                .add("n".repeat(1_000_000), new byte[0])
                .add("value", new byte[2_000_000])
                .add("null", null);

        // when
        fixture.pipe(topic, bigKey, new byte[] {7}, new RecordHeaders(), T0);
        fixture.pipe(topic, null, null, big, T0);
        fixture.event(event("s", "after"));

        // then
        assertThat(fixture.rejected).hasSize(2);
        TestRecord<byte[], byte[]> first = fixture.rejected.get(0);
        assertThat(first.key()).isEqualTo(Arrays.copyOf(bigKey, 1024));
        assertThat(header(first, "ebb-rejected-key-bytes")).isEqualTo("3000000");
        TestRecord<byte[], byte[]> second = fixture.rejected.get(1);
        assertThat(second.key()).isNull();
        assertThat(header(second, "ebb-rejected-value-bytes")).isEqualTo("0");
        assertThat(header(second, "ebb-rejected-value-sha256")).isNull();
        assertThat(header(second, "ebb-rejected-headers-left-out")).isEqualTo("2");
        assertThat(second.headers().lastHeader("kept").value()).containsExactly(1);
        assertThat(second.headers().lastHeader("null").value()).isNull();
        assertThat(fixture.ids("s")).containsExactly("after");
    }

    @ParameterizedTest
    @MethodSource("topics")
    void shouldGetThroughAHundredThousandHeaders(String topic) {
        // given headers that must not be mistaken for those of Ebb either
        Headers many = new RecordHeaders();
        for (int i = 0; i < 100_000; i++) {
            many.add(i % 2 == 0 ? "ebb-rejected-reason" : "h", null);
        }

        // when
        fixture.pipe(topic, KEY, new byte[] {7}, many, T0);
        fixture.event(event("s", "after"));

        // then
        assertThat(header(onlyRejected(), "ebb-rejected-reason")).isEqualTo("TOO_BIG");
        assertThat(onlyRejected().headers().headers("ebb-rejected-reason")).hasSize(1);
        assertThat(onlyRejected().headers().headers("h")).hasSize(50_000);
        assertThat(fixture.ids("s")).containsExactly("after");
    }

    @Test
    void shouldCountKeyAndHeadersWithTheValue() {
        // given a value that fits and headers that make the record one byte smaller than the limit, as big, and bigger
        byte[] value = new byte[LIMIT - 1024];

        // when
        for (int more : new int[] {-1, 0, 1}) {
            int headerBytes = TAKEN - value.length - KEY.length - "h".length() - 10 + more;
            fixture.send(KEY, value, T0, new RecordHeaders().add("h", new byte[headerBytes]));
        }

        // then the last does not even come to be decoded, and goes as it was since the rejected topic has room for it
        assertThat(fixture.observer.rejected)
                .containsExactly(RejectReason.UNDECODABLE, RejectReason.UNDECODABLE, RejectReason.TOO_BIG);
        assertThat(fixture.rejected)
                .allSatisfy(record -> assertThat(record.value()).isEqualTo(value));
    }

    @Test
    void shouldKeepARecordWholeAsLongAsTheRejectedTopicTakesIt() {
        // given
        int most = 2 * LIMIT + 64 * 1024;

        // when
        fixture.send(KEY, new byte[most - 3000], T0);
        fixture.send(KEY, new byte[most], T0);

        // then
        assertThat(fixture.rejected.get(0).value()).hasSize(most - 3000);
        assertThat(fixture.rejected.get(1).value()).isNull();
    }

    @Test
    void shouldNotParkWhatTheChangelogWouldNotTake() {
        // given S-2: near the limit of the topic, with a header as big as the room beside the value
        fixture.records.registryDown(true);
        Headers headers = new RecordHeaders().add("h", new byte[66_480]);

        // when
        fixture.send(KEY, new byte[1_047_551], T0, headers);
        fixture.send(KEY, new byte[1_047_551], T0);
        fixture.advance(1000);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.TOO_BIG);
        assertThat(fixture.status().parkedRecords()).isEqualTo(1);
    }

    @Test
    void shouldNotParkItWhilePoliciesAreAwaitedEither() {
        // given
        fixture.catchUp.policiesTarget = 5;

        // when
        fixture.send(KEY, new byte[3_000_000], T0);
        fixture.event(event("s", "waits"));
        fixture.advance(1000);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.TOO_BIG);
        assertThat(fixture.status().parkedRecords()).isEqualTo(1);
    }

    @Test
    void shouldShortenADetailThatQuotesTheRecord() {
        // given
        var rejection = new dev.ebb.domain.event.Rejection(RejectReason.BAD_NAME, "x".repeat(2_000_000));

        // when
        fixture.send(KEY, fixture.records.bytes(new Decoded.Bad(rejection)), T0);

        // then
        assertThat(header(onlyRejected(), "ebb-rejected-detail"))
                .startsWith("xxx")
                .endsWith("x… (2000000 characters)")
                .hasSizeLessThan(4100);
    }

    @Test
    void shouldCarryTheHeadersOfARecordThatGoesHome() {
        // given a record under a wrong key with as many headers as may come
        byte[] value = fixture.records.bytes(event("s", "a").build());
        Headers headers = new RecordHeaders().add("h", new byte[TAKEN - 100]);

        // when
        fixture.send(bytes("wrong"), value, T0, headers);

        // then
        assertThat(fixture.rejected).isEmpty();
        assertThat(fixture.rekeyed).hasSize(1);
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    private TestRecord<byte[], byte[]> onlyRejected() {
        assertThat(fixture.rejected).hasSize(1);
        return fixture.rejected.get(0);
    }

    private static @Nullable String header(TestRecord<byte[], byte[]> record, String name) {
        return EbbHeaders.text(record.headers(), name);
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
