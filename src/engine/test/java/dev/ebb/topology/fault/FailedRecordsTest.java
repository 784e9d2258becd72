package dev.ebb.topology.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.layout.InputRecord;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailedRecordsTest {

    private long nanos;
    private final FailedRecords failed = new FailedRecords(() -> nanos);

    @Test
    void shouldKnowARecordByItsPlace() {
        // when
        failed.remember("events", 1, 7, "why");

        // then
        assertThat(failed.setAside(record("events", 1, 7))).isEqualTo("why");
        assertThat(failed.setAside(record("events", 1, 8))).isNull();
        assertThat(failed.setAside(record("events", 2, 7))).isNull();
        assertThat(failed.setAside(record("rekey", 1, 7))).isNull();
    }

    /** A record may come again until its transaction is committed, at a moment that is not told. */
    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldForgetARecordTenMinutesAfterItWasSetAside(long more, boolean isKnown) {
        // given
        failed.remember("events", 1, 7, "why");
        nanos += 10 * FailedRecords.KEPT.toNanos();
        assertThat(failed.setAside(record("events", 1, 7))).isEqualTo("why");

        // when
        nanos += FailedRecords.KEPT.toNanos() + more;

        // then
        assertThat(failed.setAside(record("events", 1, 7)) != null).isEqualTo(isKnown);
    }

    @Test
    void shouldRememberNoMoreThanAThousand() {
        // when
        for (int offset = 0; offset <= FailedRecords.MOST; offset++) {
            failed.remember("events", 1, offset, "why");
        }

        // then
        assertThat(failed.size()).isEqualTo(FailedRecords.MOST);
        assertThat(failed.setAside(record("events", 1, 0))).isNull();
        assertThat(failed.setAside(record("events", 1, 1))).isEqualTo("why");
    }

    @Test
    void shouldKnowWhatAThreadIsTakingIn() {
        // given
        failed.taking(record("events", 1, 7));

        // then another thread takes nothing in
        assertThat(CompletableFuture.supplyAsync(() -> String.valueOf(failed.rememberCurrent("no")))
                        .join())
                .isEqualTo("null");
        assertThat(failed.rememberCurrent("too big")).isEqualTo("events-1 at 7");
        assertThat(failed.setAside(record("events", 1, 7))).isEqualTo("too big");

        // and neither does this one when it has
        failed.taking(null);
        assertThat(failed.rememberCurrent("no")).isNull();
        assertThat(failed.size()).isEqualTo(1);
    }

    private static InputRecord record(String topic, int partition, long offset) {
        return new InputRecord(topic, partition, offset, 0, null, null, new RecordHeaders());
    }
}
