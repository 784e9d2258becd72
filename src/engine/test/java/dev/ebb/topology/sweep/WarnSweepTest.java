package dev.ebb.topology.sweep;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.topology.TopologyFixture;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of sweeps about streams of which they only warn. */
class WarnSweepTest {

    private static final long MINUTE = 60_000;

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("M-16")
    void shouldReportWhatItWouldDeleteAndDeleteNothing() {
        // given
        warn(3);
        for (String id : new String[] {"a", "b", "c", "d", "e"}) {
            fixture.event(event("s", id));
        }
        fixture.event(event("s", "ttl").ttlSeconds(1));
        fixture.event(event("s", "p").status("pending"));

        // when
        fixture.advance(2 * MINUTE);
        fixture.settle();

        // then
        SweepReport report = fixture.reports.get(fixture.reports.size() - 1);
        assertThat(report.mode()).isEqualTo("warn");
        assertThat(report.deleted()).isEmpty();
        assertThat(report.wouldDelete()).containsOnlyKeys("TTL", "MAX_COUNT");
        assertThat(report.wouldDelete().get("TTL").events()).isEqualTo(1);
        assertThat(report.wouldDelete().get("MAX_COUNT").events()).isEqualTo(3);
        assertThat(report.protectedEvents()).isEqualTo(1);
        assertThat(report.streamsProcessed()).isEqualTo(1);
        assertThat(fixture.ids("s")).hasSize(7);
        assertThat(fixture.audits).isEmpty();
        assertThat(fixture.mirror).hasSize(7);
        assertThat(fixture.visibleIds("s")).hasSize(7);
    }

    /** From the millisecond in which an event is due a report has the interval of its policy, and the slice after it. */
    @ParameterizedTest
    @Tag("M-16")
    @Tag("O-5a")
    @ValueSource(longs = {1000, 5000, 60_000})
    void shouldReportWithinTheInterval(long intervalMs) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(2 * MINUTE))
                .intervalMs(intervalMs)
                .mode(PolicyMode.WARN)
                .build());
        fixture.event(event("s", "a"));
        fixture.advance(2 * MINUTE);
        assertThat(fixture.reports).isEmpty();

        // when
        fixture.advance(1 + intervalMs + 1000);

        // then
        assertThat(fixture.reports).singleElement().satisfies(report -> assertThat(
                        TopologyFixture.events(report.wouldDelete()))
                .isEqualTo(1));
        assertThat(fixture.observer.warned).isEqualTo(1);
    }

    @Test
    @Tag("O-5a")
    void shouldWarnOfNothingOnceThePolicyIsEnforced() {
        // given
        warn(1);
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.advance(2000);
        long warned = fixture.observer.warned;

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.settle();
        fixture.advance(2000);

        // then
        assertThat(warned).isEqualTo(1);
        assertThat(fixture.observer.warned).isZero();
    }

    @Test
    @Tag("M-16")
    void shouldReportAgainOnlyWhatIsNotTheSame() {
        // given
        warn(1);
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.advance(2 * MINUTE);
        int reports = fixture.reports.size();
        assertThat(reports).isPositive();

        // when
        fixture.advance(5 * MINUTE);

        // then
        assertThat(fixture.reports).hasSize(reports);

        // when
        fixture.event(event("s", "c"));
        fixture.advance(2 * MINUTE);

        // then
        assertThat(fixture.reports).hasSize(reports + 1);
    }

    @Test
    @Tag("M-16")
    @Tag("M-9")
    void shouldDeleteOnceThePolicyIsEnforced() {
        // given
        warn(1);
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.advance(2 * MINUTE);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("b");
    }

    @Test
    @Tag("O-4")
    void shouldSayHowManyEventsAreHeld() {
        // given
        Hold hold = new Hold("case", Scope.stream("held"), "", "", 0);
        fixture.policy(hold.key().toString(), fixture.records.bytes(hold), new RecordHeaders());
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("held", "a"));
        fixture.event(event("held", "b"));
        fixture.event(event("s", "a"));

        // when
        fixture.settle();

        // then
        assertThat(fixture.reports).hasSize(1);
        assertThat(fixture.reports.get(0).heldEvents()).isEqualTo(2);
        assertThat(fixture.reports.get(0).deleted()).containsOnlyKeys("MAX_AGE");
        assertThat(fixture.ids("held")).containsExactly("a", "b");
    }

    private void warn(long maxCount) {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(maxCount))
                .mode(PolicyMode.WARN)
                .build());
    }
}
