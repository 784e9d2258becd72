package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A source is safe at first: its events stay until a policy says enforce, and its target passes the brake. */
@Tag("F-9")
class SourceBrakeTest {

    private static final PolicyKey ORDERS = PolicyKey.ofSource("orders");

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000_000))
                    .brakeLimits(new BrakeLimits(20, 10, BrakeLimits.HORIZON.toMillis()))
                    .make());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldOnlyReportUntilAPolicySaysEnforce() {
        // given
        source("none");
        store("orders", 20);
        store("others", 10);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .confirmed(true)
                .build());
        settle();

        // then
        assertThat(fixture.stored()).hasSize(20);

        // when
        fixture.policy(enforced(5000));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(20);
        assertThat(fixture.view().waiting()).hasSize(1);

        // when
        confirm("namespace:orders");

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "same, 9, false", "same, 10, false", "same, 11, true",
        "truncate, 9, false", "truncate, 10, false", "truncate, 11, true"
    })
    void shouldCountAllThatIsDueAlreadyWhenATargetComesIntoForce(String target, int due, boolean isHeldBack) {
        // given
        source("none");
        fixture.policy(enforced(60_000));
        settle();
        store("orders", due);

        // when
        source(target);
        settle();

        // then
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key)
                .containsExactlyElementsOf(isHeldBack ? List.of(ORDERS) : List.of());
        assertThat(inForce().target().equals(SourceTarget.NONE)).isEqualTo(isHeldBack);

        // when
        if (isHeldBack) {
            confirm("source:orders");
        }

        // then
        assertThat(inForce().target()).isNotEqualTo(SourceTarget.NONE);
    }

    /** The events are in the hands of the other policies then. */
    @Test
    void shouldHoldBackTheRemovalOfASourceThatKeptEvents() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .build());
        source("none");
        store("orders", 20);

        // when
        fixture.policy("source:orders", null, new RecordHeaders());
        settle();

        // then
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(ORDERS);
        assertThat(fixture.stored()).hasSize(20);

        // when
        confirm("source:orders");

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    private Source inForce() {
        @Nullable Source source = fixture.policies().sources().get("orders");
        assertThat(source).isNotNull();
        return source;
    }

    private static RetentionPolicy enforced(long maxAgeMs) {
        return RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(maxAgeMs))
                .anchor(Anchor.OCCURRED)
                .mode(PolicyMode.ENFORCE)
                .build();
    }

    private void source(String kind) {
        boolean isLog = kind.equals("truncate");
        String target = kind.equals("same") ? "{\"tombstones\": \"same\"}" : "\"" + kind + "\"";
        String declaration = "{\"name\": \"orders\", \"topic\": \"shop.orders\", \"as\": \"" + (isLog ? "log" : "table")
                + "\", \"stream\": \"orders/{value.c}\", \"target\": " + target + "}";
        fixture.policy("source:orders", declaration.getBytes(UTF_8), new RecordHeaders());
    }

    private void store(String namespace, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(namespace + "/" + i % 3, "e" + i).occurredAt(fixture.nowMs() - 10_000));
        }
    }

    private void confirm(String key) {
        RecordHeaders headers = new RecordHeaders();
        long version = fixture.view().waiting().get(0).version();
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, version);
        fixture.policy(EbbHeaders.CONFIRM + key, null, headers);
        settle();
        assertThat(fixture.view().waiting()).isEmpty();
    }

    /** A question, its answer, and what follows from it take a few rounds. */
    private void settle() {
        for (int round = 0; round < 5; round++) {
            fixture.settle();
        }
    }
}
