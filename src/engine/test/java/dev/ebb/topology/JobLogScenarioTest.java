package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.time.Durations;
import dev.ebb.topology.observe.TaskStatus;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log of jobs that go when they are done and old, by the names of the scenarios. */
class JobLogScenarioTest {

    private static final String JOBS = "jobs/1";
    private static final long WEEK = Durations.parseMs("7d");

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 1000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("OnlyCompletedAndFailedGo")
    @Tag("M-3")
    void onlyCompletedAndFailedGo() {
        // given
        maxAge(WEEK);
        for (String status : new String[] {"completed", "failed", "pending", "processing", "running"}) {
            fixture.event(event(JOBS, status).status(status));
        }

        // when
        fixture.advance(WEEK + 1000);
        fixture.settle();

        // then
        assertThat(fixture.ids(JOBS)).containsExactlyInAnyOrder("pending", "processing", "running");
    }

    @Test
    @DisplayName("PendingForEverStays")
    @Tag("M-4")
    void pendingForEverStays() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .maxCount(Limit.of(1))
                .set(PolicyField.MAX_BYTES, Limit.of(1))
                .build());
        fixture.event(event(JOBS, "a").status("pending"));
        fixture.event(event(JOBS, "b").status("pending"));

        // when
        fixture.advance(Durations.parseMs("3650d"));
        fixture.settle();

        // then
        assertThat(fixture.ids(JOBS)).containsExactly("a", "b");
    }

    @Test
    @DisplayName("BatchesOfThousandUntilNone")
    @Tag("O-2")
    void batchesOfThousandUntilNone() {
        // given
        maxAge(WEEK);
        for (int i = 0; i < 2500; i++) {
            fixture.event(event(JOBS, "e" + i).status("completed"));
        }
        fixture.advance(WEEK);
        fixture.settle();

        // when one sweep follows, it goes on in batches until nothing is left
        fixture.settle();

        // then
        assertThat(fixture.ids(JOBS)).isEmpty();
        assertThat(fixture.audits).extracting(audit -> audit.eventIds().size()).containsExactly(1000, 1000, 500);
        assertThat(fixture.reports).hasSize(1);
        assertThat(TopologyFixture.events(fixture.reports.get(0).deleted())).isEqualTo(2500);
    }

    @Test
    @DisplayName("ShorterAgeActsAtNextSweepWithoutRestart")
    @Tag("M-9")
    void shorterAgeActsAtNextSweepWithoutRestart() {
        // given
        maxAge(WEEK);
        fixture.event(event(JOBS, "a").status("completed"));
        fixture.advance(WEEK / 2);
        fixture.settle();
        assertThat(fixture.ids(JOBS)).containsExactly("a");

        // when
        maxAge(WEEK / 4);
        fixture.settle();

        // then
        assertThat(fixture.ids(JOBS)).isEmpty();
    }

    @Test
    @DisplayName("StuckProcessingIsReported")
    @Tag("O-6")
    void stuckProcessingIsReported() {
        // given
        fixture.event(event(JOBS, "a").status("processing"));
        fixture.event(event(JOBS, "b").status("processing"));
        fixture.event(event("jobs/2", "a").status("processing"));
        fixture.event(event("jobs/2", "b").status("completed"));
        fixture.event(event("flow/1", "a").execution(1));

        // when
        fixture.advance(Durations.parseMs("24h") - 11_000);
        fixture.settle();
        assertThat(fixture.status().stale()).isEqualTo(TaskStatus.Stale.NONE);
        fixture.advance(30_000);
        fixture.settle();

        // then
        assertThat(fixture.status().stale())
                .isEqualTo(new TaskStatus.Stale(4, Map.of(JOBS, 2L, "jobs/2", 1L, "flow/1", 1L)));

        // when one of them gets on
        fixture.status(JOBS, "a", "completed");
        fixture.advance(20_000);

        // then
        assertThat(fixture.status().stale().streams()).containsEntry(JOBS, 1L);
        assertThat(fixture.status().stale().events()).isEqualTo(3);
    }

    private void maxAge(long ms) {
        fixture.policy(RetentionPolicy.of(Scope.namespace("jobs"))
                .maxAge(Limit.of(ms))
                .anchor(Anchor.COMPLETED)
                .build());
    }
}
