package dev.ebb.domain.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.PolicyMode;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Causes of removals, and how a sweep reports them. */
class RemovalCauseTest {

    @ParameterizedTest
    @CsvSource({
        "TTL, false, false",
        "MAX_AGE, false, false",
        "MAX_COUNT, true, false",
        "MAX_BYTES, true, false",
        "DELETE, false, true",
        "PURGE, false, true",
        "PRUNE, false, true"
    })
    void shouldTellCapsAndCommandsFromAges(RemovalCause cause, boolean isCap, boolean isCommand) {
        assertThat(cause.isCap()).isEqualTo(isCap);
        assertThat(cause.isCommand()).isEqualTo(isCommand);
    }

    @Test
    @Tag("O-3")
    void shouldNameTheSweepOrTheCommandThatDeleted() {
        assertThat(Origin.ofSweep("s1")).isEqualTo(new Origin("s1", "", "", "", ""));
        assertThat(Origin.ofCommand("c1", "anna", "why", "0/7")).isEqualTo(new Origin("", "c1", "anna", "why", "0/7"));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("O-4")
    void shouldAddUpWhatASweepDeleted(SweepReport.Trigger trigger) {
        // given
        SweepReport.Tally tally = SweepReport.Tally.ZERO.plus(1, 10).plus(2, 20);
        SweepReport report = new SweepReport(
                "id",
                0,
                trigger,
                new SweepPoint(1, 2),
                3,
                4,
                5,
                Map.of(RemovalCause.TTL, tally, RemovalCause.MAX_COUNT, new SweepReport.Tally(4, 40)),
                6,
                7,
                PolicyMode.ENFORCE,
                false);

        // then
        assertThat(tally).isEqualTo(new SweepReport.Tally(3, 30));
        assertThat(report.deleted()).isEqualTo(Map.of("TTL", tally, "MAX_COUNT", new SweepReport.Tally(4, 40)));
        assertThat(report.wouldDelete()).isEmpty();
        assertThat(report.commandId()).isEqualTo(trigger == SweepReport.Trigger.COMMAND ? "id" : null);
    }
}
