package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.client.Json;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.policies.PolicyRecordView;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-27")
class PolicySetChangesTheNamedFieldsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @BeforeEach
    void inForce() {
        api.answer(
                "GET /v1/policies/namespace:orders",
                new PolicyRecordView(
                        "namespace:orders",
                        Json.object()
                                .put("scope", "namespace:orders")
                                .put("maxAge", "90d")
                                .put("maxCount", 100_000)
                                .put("confirmed", true)
                                .put("updatedBy", "eva")
                                .put("reason", "old"),
                        3L,
                        null,
                        false,
                        null));
        api.answer(
                "PUT /v1/policies/namespace:orders",
                new Changed(true, 8, List.of("namespace:orders"), List.of(), List.of(), List.of(), List.of()));
    }

    @Test
    void shouldKeepTheOtherFields() {
        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "91d", "--actor", "me");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(sent()).isEqualTo("{\"maxAge\":\"91d\",\"maxCount\":100000,\"updatedBy\":\"me\"}");
        assertThat(run.out()).containsPattern("maxAge +90d +91d").doesNotContain("maxCount", "updatedBy", "confirmed");
    }

    @Test
    void shouldReplaceTheWholeIfThatIsAsked() {
        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "91d", "--actor", "me", "--replace");

        // then
        assertThat(sent()).isEqualTo("{\"maxAge\":\"91d\",\"updatedBy\":\"me\"}");
        assertThat(run.out()).containsPattern("maxAge +90d +91d").containsPattern("maxCount +100000 +inherited");
    }

    @Test
    void shouldSayFirstThatItIsInForceAndThenWhatDiffers() {
        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "91d", "--max-count", "100000");

        // then
        assertThat(run.out())
                .matches("(?s).*in force, version 8.*maxAge +90d +91d\\s*")
                .doesNotContain("maxCount");
    }

    @Test
    void shouldNotSayNowOfAChangeThatWaits() {
        // given
        api.answer(
                "PUT /v1/policies/namespace:orders",
                new Changed(
                        true,
                        8,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new WaitingPolicyView(
                                "namespace:orders", 9, 9, "me", Instant.EPOCH, "it would delete 9", 9L, false, 10L)),
                        List.of()));

        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "1d");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.out()).containsPattern("FIELD +BEFORE +WAITS\\s+maxAge +90d +1d");
    }

    @Test
    void shouldSayThatNoFieldDiffers() {
        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "90d", "--max-count", "100000");

        // then
        assertThat(run.out())
                .contains("No field differs from the policy before it.")
                .doesNotContain("BEFORE");
    }

    @Test
    void shouldShowTheFieldsOfANewPolicy() {
        // given
        api.answer("GET /v1/policies/namespace:orders", 404, "{}");

        // when
        CommandRun run = api.run("policy", "set", "namespace:orders", "--max-age", "91d");

        // then
        assertThat(run.out()).containsPattern("maxAge +inherited +91d");
    }

    private String sent() {
        return api.requests().get(api.requests().size() - 1).body();
    }
}
