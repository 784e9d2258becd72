package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Policies that come one by one, each of which could delete more than before, from the gate to the partitions and back. */
@Tag("O-8")
class ManyPoliciesTest {

    private static final int POLICIES = 500;
    private static final int STREAMS = 50;

    /** A question, its answer and what follows take so long at the most. */
    private static final int ROUND_MS = 50;

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                    .brakeLimits(new BrakeLimits(20, 1, 0))
                    .make());

    @AfterEach
    void close() {
        fixture.close();
    }

    /** One after the other they took a round each. */
    @Test
    void shouldComeIntoForceInFewRounds() {
        // given
        for (int i = 0; i < STREAMS; i++) {
            fixture.event(event("n/" + i, "e").occurredAt(fixture.nowMs() - 10));
        }
        for (int i = 0; i < POLICIES; i++) {
            fixture.policy(RetentionPolicy.of(Scope.stream("n/" + i))
                    .maxAge(Limit.of(100_000))
                    .build());
        }

        // when
        int rounds = rounds();

        // then
        assertThat(rounds).isLessThan(40);
        assertThat(fixture.policies().policies()).hasSize(POLICIES);
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    @Tag("M-18")
    void shouldLetAHoldWaitForNoneOfThem() {
        // given
        for (int i = 0; i < POLICIES; i++) {
            fixture.policy(RetentionPolicy.of(Scope.stream("n/" + i))
                    .maxAge(Limit.of(100_000))
                    .build());
        }

        // when
        fixture.hold("case", Scope.ALL);

        // then
        assertThat(fixture.policies().holds()).containsOnlyKeys("case");
        assertThat(fixture.view().waiting()).isNotEmpty();
    }

    private int rounds() {
        int rounds = 0;
        while (fixture.policies().policies().size() < POLICIES && rounds < 2 * POLICIES) {
            fixture.advance(ROUND_MS);
            rounds++;
        }
        fixture.settle();
        return rounds;
    }
}
