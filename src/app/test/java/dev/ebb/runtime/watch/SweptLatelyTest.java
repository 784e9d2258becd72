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
        assertThat(first).isEqualTo(new SweptLately.Sum(0, "s", 1, 0, "TTL 3", "MAX_COUNT 2", 40));
        assertThat(other).isEqualTo(new SweptLately.Sum(1, "s", 1, 0, "TTL 5", "MAX_COUNT 2", 40));
        assertThat(lines).isZero();
        assertThat(next).isEqualTo(new SweptLately.Sum(0, "s", 60, 0, "MAX_AGE 30, TTL 30", "MAX_COUNT 120", 40));
    }

    @Test
    void shouldSayWhatWasSweptLastAlthoughNoSweepFollows() {
        // given
        lately.add(report(0, "TTL", 3));
        lately.add(report(1, "TTL", 3));
        lately.add(stoppedEarly(0, "TTL", 2_000_000));

        // when: below
        nowNanos += TimeUnit.MINUTES.toNanos(1) - 1;

        // then
        assertThat(lately.due()).isEmpty();

        // when: at
        nowNanos++;

        // then
        assertThat(lately.due()).containsExactly(new SweptLately.Sum(0, "s", 1, 1, "TTL 2000000", "MAX_COUNT 2", 40));
        assertThat(lately.due()).isEmpty();
        assertThat(lately.leave()).isEmpty();
    }

    @Test
    void shouldSayWhatIsLeftOfAPartitionThatLeaves() {
        // given
        for (int partition = 0; partition < 3; partition++) {
            lately.add(report(partition, "TTL", 3));
            lately.add(report(partition, "TTL", partition));
        }

        // when
        SweptLately.Sum left = lately.leave(1);

        // then
        assertThat(left).isEqualTo(new SweptLately.Sum(1, "s", 1, 0, "TTL 1", "MAX_COUNT 2", 40));
        assertThat(lately.leave(1)).isNull();

        // when: the rest, at the end
        assertThat(lately.leave()).extracting(SweptLately.Sum::deleted).containsExactly("TTL 0", "TTL 2");

        // then: one that comes back is said at once
        assertThat(lately.add(report(1, "TTL", 7))).isNotNull();
    }

    private static SweepReport report(int partition, String cause, long events) {
        return report(partition, cause, events, false);
    }

    private static SweepReport stoppedEarly(int partition, String cause, long events) {
        return report(partition, cause, events, true);
    }

    static SweepReport report(int partition, String cause, long events, boolean isStoppedEarly) {
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
                isStoppedEarly);
    }
}
