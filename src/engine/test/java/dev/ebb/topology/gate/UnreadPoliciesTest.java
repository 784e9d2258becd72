package dev.ebb.topology.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Wait;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that wait to be read, or for the rest of their file. */
@Tag("O-20")
class UnreadPoliciesTest {

    private static final Wait SCHEMA = Wait.of("schema 7");
    private static final Wait UNUSABLE = new Wait("schema 8", Wait.Kind.SCHEMA_UNUSABLE, "it is no record");

    /** Of a key and a value of records here. */
    private static final int BYTES = 10 + 100;

    private final GateStore store =
            new GateStore(Stores.inMemoryKeyValueStore("gate").get());
    private FileAssembly files = new FileAssembly(store, ParkingLimits.DEFAULT);
    private UnreadPolicies unread = new UnreadPolicies(store, files, ParkingLimits.DEFAULT);
    private long offset;

    @ParameterizedTest
    @CsvSource({"2, true", "3, true", "4, false"})
    void shouldHaveSoManyRecordsWaitAndNoMore(int records, boolean isTaken) {
        // given
        limit(3, Long.MAX_VALUE);

        // then
        assertThat(add(records)).isEqualTo(isTaken);
        assertThat(store.waiting()).hasSize(Math.min(3, records));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0, true", "-1, false"})
    void shouldHaveSoManyBytesWaitAndNoMore(int more, boolean isTaken) {
        // given
        limit(Long.MAX_VALUE, 3 * BYTES + more);

        // then
        assertThat(add(3)).isEqualTo(isTaken);
    }

    /** Records found by a restart count as well; dropped and taken ones count no more. */
    @Test
    void shouldCountWhatWaitsOverARestartAndUntilItIsGone() {
        // given
        add(2);

        // when
        limit(3, 3 * BYTES);

        // then
        assertThat(add(1)).isTrue();
        assertThat(unread.add(record("stream:s-9", null), SCHEMA))
                .isEqualTo(
                        "it would have to wait for schema 7, but 3 policies (330 bytes) are already waiting to be read,"
                                + " the most that may; set it again when they are read or dropped");

        // when
        unread.drop("stream:s-1", -1);
        assertThat(add(1)).isTrue();
        assertThat(add(1)).isFalse();
        unread.retry(record -> null);

        // then
        assertThat(add(3)).isTrue();
    }

    @Test
    void shouldHoldUpWhatIsOfTheSameScopeOrFile() {
        // given
        files.add(record("stream:a", "f"));
        unread.add(record("stream:b", "f"), SCHEMA);

        // then
        assertThat(unread.holdsUp(record("stream:a", null))).isTrue();
        assertThat(unread.holdsUp(record("stream:b", null))).isTrue();
        assertThat(unread.holdsUp(record("stream:c", "f"))).isTrue();
        assertThat(unread.holdsUp(record("stream:c", null))).isFalse();
    }

    @Test
    void shouldSayUpToWhichOffsetAllIsDecidedOrNeverWillBe() {
        // given
        unread.add(record("stream:a", null), UNUSABLE);
        unread.add(record("stream:b", null), SCHEMA);
        unread.add(record("stream:a", null), null);

        // then
        assertThat(unread.reflected(9)).isZero();
        assertThat(unread.first()).isEqualTo(UNUSABLE);

        // when
        unread.retry(record -> record.offset() == 1 ? null : UNUSABLE);

        // then
        assertThat(unread.reflected(9)).isEqualTo(9);
        assertThat(store.waiting()).extracting(GateRecord::offset).containsExactly(0L, 2L);
    }

    /** Each second all of them are tried, so that the cost of one must not grow with their number. */
    @Test
    @Tag("A-8")
    void shouldTryTwentyThousandAtOnce() {
        // given
        assertThat(add(20_000)).isTrue();
        List<Long> tried = new ArrayList<>();

        // when
        unread.retry(record -> {
            tried.add(record.offset());
            return SCHEMA;
        });

        // then
        assertThat(tried).hasSize(20_000).isSorted();
        assertThat(unread.reflected(20_000)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"2, 9999, false", "1, 9999, true", "9, 219, true", "9, 220, false", "9, 221, false"})
    void shouldGatherSoMuchOfFilesAndNoMore(int records, int bytes, boolean isFull) {
        // given
        int ofHeaders = bytesOfFile();
        files = new FileAssembly(store, new ParkingLimits(records, bytes + 2L * ofHeaders));
        files.add(record("stream:s-1", "f"));

        // then
        String problem = files.problem(record("stream:s-2", "g"));
        assertThat(problem != null).isEqualTo(isFull);
        files.take("f");
        assertThat(files.problem(record("stream:s-2", "g"))).isNull();
    }

    /** A time that a clock has seen which was ahead is seen anew by one that is right. */
    @ParameterizedTest
    @ValueSource(longs = {0, 7_200_000})
    void shouldGiveUpAFileAMinuteAfterItWasSeen(long aheadMs) {
        // given
        files.add(record("stream:s-1", "f"));
        files.giveUp(1_000_000 + aheadMs, file -> false);
        files.giveUp(1_000_000, file -> false);

        // then
        long minuteMs = Duration.ofMinutes(1).toMillis();
        assertThat(files.giveUp(1_000_000 + minuteMs, file -> false)).isEmpty();
        assertThat(files.giveUp(1_000_001 + minuteMs, file -> false)).hasSize(1);
        assertThat(files.isWaiting()).isFalse();
    }

    private int bytesOfFile() {
        return (int) (record("stream:s-1", "f").bytes() - BYTES);
    }

    private void limit(long records, long bytes) {
        ParkingLimits limits = new ParkingLimits(records, bytes);
        files = new FileAssembly(store, limits);
        unread = new UnreadPolicies(store, files, limits);
    }

    /** Returns whether all of them were taken. */
    private boolean add(int records) {
        boolean isTaken = true;
        for (int i = 0; i < records; i++) {
            isTaken &= unread.add(record("stream:s-" + i, null), SCHEMA) == null;
        }
        return isTaken;
    }

    private GateRecord record(String key, String file) {
        RecordHeaders headers = new RecordHeaders();
        if (file != null) {
            EbbHeaders.set(headers, EbbHeaders.APPLY_ID, file);
            EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, 100);
        }
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return new GateRecord(new InputRecord("policies", 0, offset++, 0, bytes, new byte[100], headers));
    }
}
