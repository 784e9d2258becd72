package dev.ebb.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-20")
class ParkedRecordsTest {

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.check();
    }

    @Test
    void shouldGiveRecordsBackInTheirOrder() {
        // given
        ParkedRecords parked = fixture.store.parked();
        parked.park(record("a", 1));
        parked.park(record("b", 2));
        parked.park(record("a", 3));

        // then
        assertThat(parked.size()).isEqualTo(3);
        assertThat(parked.holds(bytes("a"))).isTrue();
        for (long offset = 1; offset <= 3; offset++) {
            assertThat(parked.first().offset()).isEqualTo(offset);
            parked.removeFirst();
        }
        assertThat(parked.first()).isNull();
        assertThat(parked.holds(bytes("a"))).isFalse();
        assertThat(parked.size()).isZero();
    }

    @Test
    @Tag("I-7")
    void shouldSurviveARestart() {
        // given
        fixture.store.parked().park(record("a", 1));
        fixture.store.parked().park(record("b", 2));
        fixture.store.parked().removeFirst();

        // when
        fixture.reopen();
        ParkedRecords parked = fixture.store.parked();

        // then
        assertThat(parked.size()).isEqualTo(1);
        assertThat(parked.holds(bytes("a"))).isFalse();
        assertThat(parked.holds(bytes("b"))).isTrue();
        assertThat(parked.first().offset()).isEqualTo(2);
    }

    @Test
    void shouldKeepRecordsAsTheyAre() {
        // given
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", bytes("1")).add("h", null).add("é", new byte[] {0, (byte) 0xFF});
        ParkedRecord full = new ParkedRecord("t", 3, 1L << 40, -1, bytes("k"), bytes("v"), headers);
        ParkedRecord bare = new ParkedRecord("t", 0, 0, 0, null, null, new RecordHeaders());

        // then
        assertThat(ParkedRecord.decode(full.encode()))
                .usingRecursiveComparison()
                .isEqualTo(full);
        assertThat(ParkedRecord.decode(bare.encode()))
                .usingRecursiveComparison()
                .isEqualTo(bare);
    }

    private static ParkedRecord record(String key, long offset) {
        return new ParkedRecord("t", 0, offset, 0, bytes(key), new byte[] {1}, new RecordHeaders());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
