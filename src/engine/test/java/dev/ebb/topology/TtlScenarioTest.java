package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Precedence of lifetimes: that of the event, of its namespace, of a pattern or of the system. */
@Tag("M-7")
@Tag("M-10")
class TtlScenarioTest {

    private static final long MINUTE_MS = 60_000;

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1000), 10_000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("OwnTtlBeatsNamespace")
    void ownTtlBeatsNamespace() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(10 * MINUTE_MS))
                .build());
        fixture.event(event("a/1", "short").ttlSeconds(60));
        fixture.event(event("a/1", "long").ttlSeconds(3600));
        fixture.event(event("a/1", "plain"));

        pass(2);
        assertThat(fixture.ids("a/1")).containsExactlyInAnyOrder("long", "plain");
        pass(10);
        assertThat(fixture.ids("a/1")).containsExactly("long");
    }

    @Test
    @DisplayName("NamespaceBeatsPattern")
    void namespaceBeatsPattern() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .set(PolicyField.PATTERN, "cache")
                .maxAge(Limit.of(60 * MINUTE_MS))
                .build());
        fixture.event(event("a/1", "kept"));

        pass(20);

        assertThat(fixture.ids("a/1")).containsExactly("kept");
    }

    @Test
    @DisplayName("PatternBeatsSystem")
    void patternBeatsSystem() {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .set(PolicyField.PATTERN, "cache")
                .build());
        fixture.event(event("a/1", "cached"));
        fixture.event(event("b/1", "kept"));

        pass(14);
        assertThat(fixture.ids("a/1")).containsExactly("cached");
        pass(2);
        assertThat(fixture.ids("a/1")).isEmpty();
        assertThat(fixture.ids("b/1")).containsExactly("kept");
    }

    @Test
    @DisplayName("InfiniteNeedsPermission")
    void infiniteNeedsPermission() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(10 * MINUTE_MS))
                .build());
        fixture.policy(RetentionPolicy.of(Scope.namespace("b"))
                .maxAge(Limit.of(10 * MINUTE_MS))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event("a/1", "wish").ttl(OwnTtl.INFINITE));
        fixture.event(event("b/1", "wish").ttl(OwnTtl.INFINITE));

        pass(11);

        assertThat(fixture.ids("a/1")).isEmpty();
        assertThat(fixture.ids("b/1")).containsExactly("wish");
    }

    @Test
    @DisplayName("InfiniteWithdrawnComesDue")
    void infiniteWithdrawnComesDue() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(10 * MINUTE_MS))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event("a/1", "wish").ttl(OwnTtl.INFINITE));
        pass(30);
        assertThat(fixture.ids("a/1")).containsExactly("wish");

        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(10 * MINUTE_MS))
                .set(PolicyField.ALLOW_INFINITE_TTL, false)
                .build());
        fixture.settleFor(5);

        assertThat(fixture.ids("a/1")).isEmpty();
    }

    @Test
    @DisplayName("BoundsClampOwnTtl")
    void boundsClampOwnTtl() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .set(PolicyField.MIN_TTL, Limit.of(5 * MINUTE_MS))
                .set(PolicyField.MAX_TTL, Limit.of(20 * MINUTE_MS))
                .build());
        fixture.event(event("a/1", "short").ttlSeconds(60));
        fixture.event(event("a/1", "long").ttlSeconds(7200));

        pass(4);
        assertThat(fixture.ids("a/1")).containsExactlyInAnyOrder("short", "long");
        pass(2);
        assertThat(fixture.ids("a/1")).containsExactly("long");
        pass(15);
        assertThat(fixture.ids("a/1")).isEmpty();
    }

    private void pass(int minutes) {
        fixture.advance(minutes * MINUTE_MS);
        fixture.settleFor(2);
    }
}
