package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.RemovalCause;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpiryWindowTest {

    private static final long MINUTE = 60_000;

    private long nowMs = 1_800_000_000_000L;
    private final ExpiryWindow window = new ExpiryWindow(new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(nowMs);
        }
    });

    @Test
    void shouldForgetAfterAnHour() {
        // given
        window.add("a", RemovalCause.TTL);
        nowMs += 30 * MINUTE;
        window.add("a", RemovalCause.MAX_AGE);
        window.add("b", RemovalCause.MAX_AGE);

        // then
        assertThat(window.lastHour()).isEqualTo(Map.of("a", 2L, "b", 1L));
        nowMs += 30 * MINUTE;
        assertThat(window.lastHour()).isEqualTo(Map.of("a", 1L, "b", 1L));
        nowMs += 30 * MINUTE;
        assertThat(window.lastHour()).isEmpty();
    }

    @Test
    void shouldCountOnlyWhatHasExpired() {
        // when
        window.add("a", RemovalCause.MAX_COUNT);
        window.add("a", RemovalCause.DELETE);

        // then
        assertThat(window.lastHour()).isEmpty();
    }

    @Test
    void shouldReuseThePlaceOfAMinuteLongPast() {
        // given
        for (int hour = 0; hour < 5; hour++) {
            window.add("a", RemovalCause.TTL);
            nowMs += 60 * MINUTE;
        }

        // when
        window.add("a", RemovalCause.TTL);

        // then
        assertThat(window.lastHour()).isEqualTo(Map.of("a", 1L));
    }
}
