package dev.ebb.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sources as records of the topic of policies: accepted, refused and removed. */
@Tag("F-1")
class SourcesGateTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldAcceptASourceAndItsRemovalWithTheirAudit() {
        // when
        send("orders", source("orders", "orders/{value.c}"));
        send("orders", null);

        // then
        assertThat(fixture.rejected).isEmpty();
        assertThat(fixture.policyChanges.stream()
                        .filter(change -> change.scope().equals("source:orders")))
                .extracting(AuditRecord::action)
                .containsExactly("SOURCE_SET", "SOURCE_REMOVED");
    }

    @Test
    void shouldRefuseAWrongSourceAndNameItsFault() {
        // when
        send("orders", source("orders", "orders/{valu.c}"));

        // then
        assertThat(detail()).isEqualTo("stream: 'valu.c' is not a path; did you mean value.c?");
    }

    @Test
    @Tag("F-4")
    void shouldRefuseASourceThatMayShareStreamsWithOneInForce() {
        // given
        send("orders", source("orders", "orders/{value.c}"));

        // when
        send("eu", source("eu", "orders/eu/{value.c}"));
        String refused = detail();
        send("orders", source("orders", "orders/{value.d}"));
        send("orders", null);
        send("eu", source("eu", "orders/eu/{value.c}"));

        // then
        assertThat(refused).startsWith("stream: may lead into the streams of the source 'orders'");
        assertThat(fixture.rejected).hasSize(1);
    }

    @Test
    @Tag("O-13")
    void shouldApplyPoliciesAndSourcesOfAFileAsAWhole() {
        // when
        fixture.policyOfFile(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(7)).build(), "file", 2);
        boolean isEarly = !fixture.policies().policies().isEmpty();
        fixture.policy(
                "source:orders",
                source("orders", "orders/{valu.c}").getBytes(UTF_8),
                TopologyFixture.ofFile("file", 2));

        // then
        assertThat(isEarly).isFalse();
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.rejected).hasSize(2);

        // when
        fixture.policyOfFile(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(7)).build(), "other", 2);
        fixture.policy(
                "source:orders",
                source("orders", "orders/{value.c}").getBytes(UTF_8),
                TopologyFixture.ofFile("other", 2));

        // then
        assertThat(fixture.policies().policies()).hasSize(1);
        assertThat(fixture.rejected).hasSize(2);
    }

    private void send(String name, String declaration) {
        fixture.policy("source:" + name, declaration == null ? null : declaration.getBytes(UTF_8), new RecordHeaders());
    }

    private String detail() {
        assertThat(fixture.rejected).hasSize(1);
        return EbbHeaders.text(fixture.rejected.get(0).headers(), EbbHeaders.REJECTED_DETAIL);
    }

    private static String source(String name, String stream) {
        return "{\"name\": \"" + name + "\", \"topic\": \"shop.orders\", \"as\": \"table\", \"stream\": \"" + stream
                + "\", \"status\": {\"from\": \"value.s\", \"map\": {\"DONE\": \"completed\"}}}";
    }
}
