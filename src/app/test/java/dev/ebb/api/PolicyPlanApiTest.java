package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Outcome.Rest;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.topology.Outcomes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of policies, in sums. */
@Tag("C-4")
@Timeout(60)
class PolicyPlanApiTest {

    private static final String FILE = "policies:\n  - scope: namespace:orders\n    maxAge: 7d\n";

    private final FakeInstances instances = new FakeInstances();
    private Instance one;

    @BeforeEach
    void start() {
        one = instances.start();
        Instance two = instances.start();
        instances.give(one, 0, 1);
        instances.give(two, 2, 3);
        one.data.namespaces.put("orders", new NamespaceView(1, 60_000, 600_000, 0, 0, 0));
        two.data.namespaces.put("orders", new NamespaceView(1, 40_000, 400_000, 0, 0, 0));
        two.data.namespaces.put("users", new NamespaceView(1, 100_000, 1_000_000, 0, 0, 0));
    }

    @AfterEach
    void stop() {
        instances.close();
    }

    @Test
    void shouldAddUpDeletesByNamespaceAndCause() {
        // given
        one.data.commands.counts = Outcomes.deleted(3, 0, 0, 51_000, 0, 510_000, Map.of());
        one.data.commands.parts = List.of(
                new Part("orders/1", RemovalCause.MAX_AGE, 30_000, 300_000),
                new Part("orders/2", RemovalCause.MAX_AGE, 10_000, 100_000),
                new Part("orders/2", RemovalCause.MAX_COUNT, 10_000, 100_000));

        // when
        JsonNode plan = plan("/v1/policies:plan?prune&commandId=p-1", 200);

        // then
        assertThat(one.data.commands.submitted.get(0).isDryRun()).isTrue();
        assertThat(one.data.commands.submitted.get(0).command())
                .isEqualTo(new Command.SweepNow(dev.ebb.domain.policy.Scope.ALL, null, FILE, true));
        assertThat(plan.path("planId").asText()).isEqualTo("p-1");
        assertThat(plan.path("wouldDelete").path("events").asLong()).isEqualTo(51_000);
        assertThat(plan.path("stored").path("events").asLong()).isEqualTo(200_000);
        assertThat(plan.path("share").asDouble()).isEqualTo(0.255);
        assertThat(plan.path("smallerParts").path("events").asLong()).isEqualTo(1000);
        assertThat(plan.path("brake").path("allowed").asLong()).isEqualTo(40_000);
        JsonNode orders = plan.path("namespaces").get(0);
        assertThat(orders.path("namespace").asText()).isEqualTo("orders");
        assertThat(orders.path("wouldDelete").path("bytes").asLong()).isEqualTo(500_000);
        assertThat(orders.path("stored").path("events").asLong()).isEqualTo(100_000);
        assertThat(orders.path("share").asDouble()).isEqualTo(0.5);
        assertThat(orders.path("allowed").asLong()).isEqualTo(20_000);
        assertThat(orders.path("causes").path("MAX_COUNT").path("events").asLong())
                .isEqualTo(10_000);
    }

    /** However many streams there are, the totals by namespace and cause are exact. */
    @Test
    void shouldAddTheSumsOfPartsThatAreNotListed() {
        // given
        one.data.commands.counts = Outcomes.deleted(9, 0, 0, 61_000, 0, 610_000, Map.of());
        one.data.commands.parts = List.of(new Part("orders/1", RemovalCause.MAX_AGE, 30_000, 300_000));
        one.data.commands.rest = List.of(
                new Rest("orders", RemovalCause.MAX_AGE, 20_000, 200_000),
                new Rest("orders", RemovalCause.TTL, 1_000, 10_000),
                new Rest("users", RemovalCause.MAX_AGE, 10_000, 100_000));

        // when
        JsonNode plan = plan("/v1/policies:plan", 200);

        // then
        assertThat(plan.path("smallerParts").isNull()).isTrue();
        JsonNode orders = plan.path("namespaces").get(0);
        assertThat(orders.path("wouldDelete").path("events").asLong()).isEqualTo(51_000);
        assertThat(orders.path("causes").path("MAX_AGE").path("bytes").asLong()).isEqualTo(500_000);
        assertThat(orders.path("causes").path("TTL").path("events").asLong()).isEqualTo(1_000);
        JsonNode users = plan.path("namespaces").get(1);
        assertThat(users.path("namespace").asText()).isEqualTo("users");
        assertThat(users.path("share").asDouble()).isEqualTo(0.1);
    }

    @Test
    void shouldAnswerBeforeThePlanIsDone() {
        // given
        one.data.commands.state = State.RUNNING;

        // then
        assertThat(plan("/v1/policies:plan?wait=0", 202).path("state").asText()).isEqualTo("RUNNING");
    }

    /** The sums of the next sweep include what goes under the policies in force as well; only the brake tells them apart. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("O-25")
    void shouldLeaveTheVerdictToTheBrake(boolean isHeldBack) {
        // given
        one.data.commands.heldBack = isHeldBack;
        one.data.commands.detail = "the brake would hold it back, or would it?";

        // then
        assertThat(plan("/v1/policies:plan", 200).at("/brake/heldBack").asBoolean())
                .isEqualTo(isHeldBack);
    }

    @Test
    @Tag("F-13")
    void shouldTellOfRowsBesideEvents() {
        // given
        one.data.commands.rowsWouldGo = 4;

        // then
        assertThat(plan("/v1/policies:plan", 200).at("/wouldDelete/rows").asLong())
                .isEqualTo(4);
    }

    /** A target that the file brings counts as one that is in force. */
    @Test
    @Tag("F-9")
    void shouldTellOfTombstonesBeforeTheyGo() {
        // given
        one.data.commands.counts = Outcomes.deleted(3, 0, 0, 1_111, 0, 510_000, Map.of());
        one.data.commands.parts = List.of(
                new Part("orders/1", RemovalCause.MAX_AGE, 1_000, 300_000),
                new Part("users/1", RemovalCause.MAX_AGE, 100, 100_000));
        one.data.commands.rest = List.of(new Rest("orders", RemovalCause.TTL, 11, 10_000));
        String file = """
                policies: []
                sources:
                  - {name: orders, topic: shop.orders, as: table, stream: "orders/{value.c}", target: {tombstones: same}}
                  - {name: users, topic: shop.users, as: table, stream: "users/{value.c}"}
                """;

        // when
        JsonNode tombstones = one.client()
                .send("POST", "/v1/policies:plan", "application/yaml", file)
                .json()
                .at("/wouldDelete/tombstones");

        // then
        assertThat(tombstones.toString())
                .isEqualTo("[{\"source\":\"orders\",\"topic\":\"shop.orders\",\"atMost\":1011}]");
    }

    @Test
    void shouldPassOnARefusal() {
        // given
        one.data.commands.state = State.REFUSED;
        one.data.commands.refusal = Refusal.NOT_READY;
        one.data.commands.detail = "the policies wait";

        // then
        assertThat(plan("/v1/policies:plan", 422).path("detail").asText()).contains("the policies wait");
    }

    @Test
    void shouldRefuseAFaultyFileWithoutADryRun() {
        // when
        Answer answer = one.client().send("POST", "/v1/policies:plan", "application/yaml", "policies: 7");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(one.data.commands.submitted).isEmpty();
    }

    private JsonNode plan(String path, int status) {
        Answer answer = one.client().send("POST", path, "application/yaml", FILE);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        return answer.json();
    }
}
