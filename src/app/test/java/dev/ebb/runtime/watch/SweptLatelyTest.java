package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-28")
class SweptLatelyTest {

    private long nowNanos = 5;
    private final SweptLately lately = new SweptLately(() -> nowNanos);

    @Test
    void shouldSayAtMostOneLineAMinuteAndPartitionAndLeaveNothingOut() {
        // when
        SweptLately.Sum first = lately.add(report(0, "TTL", 3));
        SweptLately.Sum other = lately.add(report(1, "TTL", 5));
        int lines = 0;
        for (int second = 1; second < 60; second++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            lines += lately.add(report(0, second % 2 == 0 ? "TTL" : "MAX_AGE", 1)) == null ? 0 : 1;
        }
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        SweptLately.Sum next = lately.add(report(0, "TTL", 1));

        // then
        assertThat(first).isEqualTo(new SweptLately.Sum(1, "TTL 3", "MAX_COUNT 2", 40));
        assertThat(other).isEqualTo(new SweptLately.Sum(1, "TTL 5", "MAX_COUNT 2", 40));
        assertThat(lines).isZero();
        assertThat(next).isEqualTo(new SweptLately.Sum(60, "MAX_AGE 30, TTL 30", "MAX_COUNT 120", 40));
    }

    private static SweepReport report(int partition, String cause, long events) {
        return new SweepReport(
                "s",
                null,
                partition,
                "SCHEDULE",
                0,
                1,
                100,
                140,
                1,
                Map.of(cause, new Tally(events, 10)),
                Map.of("MAX_COUNT", new Tally(2, 10)),
                0,
                0,
                "enforce",
                false);
    }
}
