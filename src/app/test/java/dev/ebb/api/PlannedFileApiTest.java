package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.Outcomes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of policies that are applied by their plan: what was reviewed comes into force, and nothing else. */
@Tag("T-7")
class PlannedFileApiTest {

    private static final String FILE = "policies:\n  - scope: namespace:orders\n    maxAge: 7d\n";
    private static final String OTHER = "policies:\n  - scope: '*'\n    maxAge: 1h\n";
    private static final PolicyKey ORDERS = PolicyKey.parse("namespace:orders");

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void start() {
        ports.commands.policyVersion = ports.current().version();
        ports.commands.startedMs = Clock.systemUTC().millis();
    }

    @Test
    void shouldHoldTheFileAgainstItsPlanAndSendIt() {
        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        CommandRequest sent = ports.commands.submitted.get(0);
        assertThat(sent.isDryRun()).isTrue();
        assertThat(sent.plan()).isEqualTo("p-1");
        assertThat(sent.command()).isEqualTo(new Command.SweepNow(Scope.ALL, null, FILE, false));
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.base())
                .isEqualTo(new PolicyEdition(7, 0)));
    }

    /** It leaves the version of the policies as it was. */
    @Test
    @Tag("T-6")
    void shouldSayThatAChangeThatHadWaitedHasOvertakenTheFile() {
        // given a change that is confirmed while the file is on its way
        ports.takesEffect = false;
        ports.whenAskedForPolicies =
                () -> ports.edition = ports.changes.isEmpty() ? ports.edition : new PolicyEdition(7, 1);

        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
        assertThat(answer.json().path("detail").asText()).contains("another change", "make a new plan");
    }

    /** What was found out for other policies says nothing, though a caller who repeats the request gets the same answer. */
    @Test
    @Tag("T-6")
    void shouldCheckTheFileAnewBehindAChangeThatHadWaited() {
        // given
        apply("p-1", FILE);
        apply("p-1", FILE);

        // when
        ports.edition = new PolicyEdition(7, 1);
        apply("p-1", FILE);

        // then
        List<String> ids =
                ports.commands.submitted.stream().map(CommandRequest::commandId).toList();
        assertThat(ids).hasSize(3);
        assertThat(ids.get(1)).isEqualTo(ids.get(0));
        assertThat(ids.get(2)).isNotEqualTo(ids.get(0));
    }

    /** What is kept since is left out, and the answer says so (T-6). */
    @Test
    @Tag("T-6")
    void shouldSayWhatOfThePlanIsLeftOut() {
        // given
        PlanDigest planned = new PlanDigest(5, 1, 2, 3, 4);
        ports.commands.plan = new PlanOutcome(
                "p-1", "eva", 1000, 2000, planned, new PlanDigest(3, 1, 2, 3, 3), Map.of(LeftOut.HELD, 2L));

        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().at("/plan/exact").asBoolean(true)).isFalse();
        assertThat(answer.json().at("/plan/leftOut/HELD").asLong()).isEqualTo(2);
        assertThat(answer.json().at("/plan/digest").asText()).isEqualTo(planned.text());
        assertThat(answer.json().at("/plan/eventsDone").asLong()).isEqualTo(3);
    }

    /** The answer that was given for one file says nothing of another one. */
    @Test
    void shouldAskAnewAboutAnotherFileOfOnePlan() {
        // given a file that passed
        apply("p-1", FILE);
        ports.commands.state = State.REFUSED;
        ports.commands.refusal = Refusal.NO_PLAN;
        ports.commands.detail = "the plan was carried out";

        // when
        Answer other = apply("p-1", OTHER);
        Answer pruned = client.send("POST", "/v1/policies:apply?plan=p-1&prune=true", "application/yaml", FILE);

        // then
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().path("detail").asText()).contains("NO_PLAN");
        assertThat(pruned.status()).isEqualTo(422);
        assertThat(ports.changes).hasSize(1);
    }

    /** Whoever may plan could send a command under the id of the check beforehand. */
    @ParameterizedTest
    @CsvSource({"false, p-1, file", "true, p-2, file", "true, p-1, other", "true, , file"})
    void shouldNotTakeTheResultOfAnotherCommandForThatOfTheCheck(boolean isDryRun, String planId, String file) {
        // given
        apply("p-1", FILE);
        String id = ports.commands.submitted.get(0).commandId();
        ports.commands.results.clear();
        ports.changes.clear();
        Command asked = new Command.SweepNow(Scope.ALL, null, file.equals("file") ? FILE : OTHER, false);
        ports.commands.submit(new CommandRequest(id, "otto", "", isDryRun, null, asked, planId), "");

        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asText()).contains("belongs to another command");
        assertThat(ports.changes).isEmpty();
    }

    /** The same answer may be heard again for ten minutes: then too much has fallen due since. */
    @ParameterizedTest
    @CsvSource({"9, 200", "11, 422"})
    void shouldNotApplyAFileThatWasHeldAgainstItsPlanLongAgo(int minutes, int status) {
        // given
        ports.commands.startedMs -= Duration.ofMinutes(minutes).toMillis();

        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(ports.changes).hasSize(status == 200 ? 1 : 0);
    }

    @Test
    void shouldRefuseAFileThatWasHeldAgainstItsPlanUnderOtherPolicies() {
        // given
        ports.commands.policyVersion = ports.current().version() - 1;

        // then
        assertThat(apply("p-1", FILE).status()).isEqualTo(422);
        assertThat(ports.changes).isEmpty();
    }

    /** The console removes the last policy that way. */
    @Test
    @Tag("T-15")
    void shouldTakeAFileWithoutPoliciesIfSomebodyHasSeenItsPlan() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.namespace("last"))
                        .maxCount(Limit.of(1))
                        .build(),
                7);

        // when
        Answer answer =
                client.send("POST", "/v1/policies:apply?prune=true&plan=p-1", "application/yaml", "policies: []\n");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.removals())
                .containsExactly(PolicyKey.of(Scope.namespace("last"))));
    }

    /** The plan stands for the confirmation as long as the brake would let the rest go by itself: 20 % of 1,000,000. */
    @ParameterizedTest
    @CsvSource({"0, true", "199999, true", "200000, true", "200001, false"})
    @Tag("O-8")
    void shouldConfirmWhatThePlanHasNamed(long dueSince, boolean isConfirmed) {
        // given a change that the brake holds back, which was planned, and what has fallen due since
        ports.takesEffect = false;
        BrakeFinding finding = new BrakeFinding(10_001, true, 1_000_000);
        ports.waiting.add(new WaitingPolicy(ORDERS, 8, "anna", 1, "much would go", finding));
        ports.commands.counts = Outcomes.deleted(0, 0, 0, dueSince, 0, 0, Map.of());

        // when
        Answer answer = apply("p-1", FILE);

        // then
        assertThat(answer.status()).isEqualTo(isConfirmed ? 200 : 202);
        assertThat(ports.confirmed).hasSize(isConfirmed ? 1 : 0);
        if (!isConfirmed) {
            assertThat(answer.json().path("waiting")).hasSize(1);
            assertThat(answer.json().at("/warnings/0/message").asText())
                    .contains("200001 events have fallen due since", "confirm it");
        }
    }

    private Answer apply(String planId, String file) {
        return client.send("POST", "/v1/policies:apply?reason=why&plan=" + planId, "application/yaml", file);
    }
}
