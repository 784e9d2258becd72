package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.http.ApiJson;
import dev.ebb.domain.command.Command.UndoDeletes;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.port.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hold or the former policy comes before an undo in the same act, and stands if the undo fails (T-3). */
@Tag("T-3")
class UndoApiTest {

    private static final PolicyKey ORDERS = PolicyKey.parse("namespace:orders");

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void find() {
        ports.commands.counted = found(3, 0, Map.of());
    }

    @Test
    @Tag("T-2")
    void shouldSendTheDeletesThatAreMeant() {
        Answer answer = undo("", Map.of("sweep", "s-1", "namespace", "orders"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(ports.changes).isEmpty();
        UndoDeletes sent = sent();
        assertThat(sent.filter().sweep()).isEqualTo("s-1");
        assertThat(sent.filter().namespace()).isEqualTo("orders");
        assertThat(sent.policyVersion()).isNull();
    }

    @Test
    @Tag("M-18")
    void shouldPlaceAHoldBeforeTheUndo() {
        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "c-0", "namespace", "orders"));

        // then
        assertThat(ports.changes).singleElement().satisfies(change -> {
            assertThat(change.holds()).containsExactly(new Hold("INC-7", Scope.stream("orders/1"), "why", "anna", 0));
            assertThat(change.policies()).isEmpty();
        });
        assertThat(sent().policyVersion()).isEqualTo(8);
        assertThat(answer.json().at("/prepared/holds/0/holdCase").asText()).isEqualTo("INC-7");
        assertThat(answer.json().at("/prepared/holds/0/covers").asText()).isEqualTo("stream:orders/1");
    }

    /** A hold that was placed for nothing would keep what was never meant. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, , 0, false",
        "0, 0, EXPIRED, 5, false",
        "0, 0, REUSED, 5, false",
        "1, 0, , 0, true",
        "0, 1, , 0, true"
    })
    void shouldPlaceNoHoldForAnUndoThatHasNothingToBringBack(
            long events, long executions, NotReturned left, long number, boolean isPlaced) {
        // given
        ports.commands.counted = found(events, executions, left == null ? Map.of() : Map.of(left, number));

        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "nope"));

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(ports.commands.undoCounts).hasSize(1);
        assertThat(ports.changes).hasSize(isPlaced ? 1 : 0);
        assertThat(answer.json().has("prepared")).isEqualTo(isPlaced);
        assertThat(sent().policyVersion() != null).isEqualTo(isPlaced);
    }

    /** A hold over streams that are not known would have to be over more than they are. */
    @Test
    void shouldPlaceNoHoldBeforeTheStreamsAreKnown() {
        // given
        ports.commands.state = State.RUNNING;
        ports.commands.counted = null;

        // when
        Answer answer = undo("?hold=INC-7&commandId=u-1", Map.of("command", "c-0"));

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().path("detail").asText()).contains("nothing was brought back", "Ask again");
        assertThat(ports.changes).isEmpty();
        assertThat(ports.commands.submitted).allMatch(CommandRequest::isDryRun);
    }

    @Test
    void shouldPlaceNoHoldIfTheTrashCannotBeCounted() {
        // given
        ports.commands.state = State.REFUSED;
        ports.commands.refusal = Refusal.NOT_READY;
        ports.commands.detail = "the trash cannot be read";
        ports.commands.counted = null;

        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "c-0"));

        // then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("detail").asText()).contains("the trash cannot be read", "no hold was placed");
        assertThat(ports.changes).isEmpty();
        assertThat(ports.commands.submitted).allMatch(CommandRequest::isDryRun);
    }

    @Test
    void shouldNotMoveAHoldThatIsInForce() {
        // given
        ports.holds.put("INC-7", new Hold("INC-7", Scope.namespace("mail"), "why", "otto", 5));

        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "c-0", "namespace", "orders"));

        // then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("detail").asText()).contains("covers namespace:mail", "nothing was done");
        assertNothingWasDone();
    }

    @Test
    void shouldBringNothingBackBeforeAllPartitionsHaveTheHold() {
        // given
        ports.takesEffect = false;

        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "c-0"));

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().path("detail").asText())
                .contains("hold INC-7 over stream:orders/1", "nothing was brought back", "Ask again");
        assertThat(ports.commands.submitted).isEmpty();
    }

    @Test
    void shouldPutTheFormerPolicyBackBeforeTheUndo() {
        // given
        RetentionPolicy before = policy(30);
        ports.formers.put(ORDERS, new FormerPolicy(6, new PolicyEdit(ORDERS, before, null)));

        // when
        Answer answer = undo("?revert=true", Map.of("policy", "namespace:orders", "version", 6));

        // then
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.policies())
                .singleElement()
                .satisfies(policy -> {
                    assertThat(policy.rules()).isEqualTo(before.rules());
                    assertThat(policy.updatedBy()).isEqualTo("anna");
                    assertThat(policy.reason()).isEqualTo("why");
                }));
        assertThat(ports.changes.get(0).base())
                .as("a change in between must not be lost")
                .isEqualTo(new PolicyEdition(7, 0));
        assertThat(sent().policyVersion()).isEqualTo(8);
        assertThat(answer.json().at("/prepared/policy").asText()).isEqualTo("namespace:orders");
    }

    /** Its author confirmed what it would delete then; what it deletes now is for the brake to count. */
    @Test
    @Tag("O-8")
    void shouldNotConfirmTheFormerPolicyAnew() {
        // given
        RetentionPolicy before = policy(30).toBuilder().confirmed(true).build();
        ports.formers.put(ORDERS, new FormerPolicy(6, new PolicyEdit(ORDERS, before, null)));

        // when
        undo("?revert=true", Map.of("policy", "namespace:orders", "version", 6));

        // then
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.policies())
                .extracting(RetentionPolicy::confirmed)
                .containsExactly((Boolean) null));
    }

    @Test
    void shouldRemoveAPolicyThatWasNotThereBefore() {
        // given
        inForce(policy(1));
        ports.formers.put(ORDERS, new FormerPolicy(6, new PolicyEdit(ORDERS, null, null)));

        // when
        undo("?revert=true", Map.of("policy", "namespace:orders", "version", 6));

        // then
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.removals())
                .containsExactly(ORDERS));
    }

    @Test
    void shouldPlaceAReleasedHoldAgain() {
        // given
        PolicyKey key = PolicyKey.ofHold("c-1");
        Hold hold = new Hold("c-1", Scope.ALL, "litigation", "otto", 5);
        ports.formers.put(key, new FormerPolicy(6, new PolicyEdit(key, null, hold)));

        // when
        undo("?revert=true", Map.of("policy", "hold:c-1", "version", 6));

        // then
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.holds())
                .containsExactly(hold));
    }

    /** The command may be repeated after a failure: the revert must not be taken back by that. */
    @Test
    void shouldNotRevertTwice() {
        // given
        inForce(policy(30));
        ports.formers.put(ORDERS, new FormerPolicy(6, new PolicyEdit(ORDERS, policy(30), null)));

        // when
        undo("?revert=true", Map.of("policy", "namespace:orders", "version", 6));

        // then
        assertThat(ports.changes).isEmpty();
        assertThat(sent().policyVersion()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?revert=true {\"policy\":\"namespace:orders\"}",
                "?revert=true {\"command\":\"c-0\"}",
                "?revert=true&hold=INC-7 {\"policy\":\"namespace:orders\",\"version\":6}",
                "?hold=%01 {\"command\":\"c-0\"}"
            })
    void shouldRefuseAWishThatMakesNoSense(String request) {
        String[] parts = request.split(" ", 2);

        Answer answer = client.send("POST", "/v1/undo" + parts[0] + "&reason=why", "application/json", parts[1]);

        assertThat(answer.status()).isEqualTo(400);
        assertNothingWasDone();
    }

    @Test
    void shouldRefuseToRevertAnUnknownChange() {
        Answer answer = undo("?revert=true", Map.of("policy", "namespace:orders", "version", 6));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("detail").asText()).contains("there is no change of namespace:orders");
        assertNothingWasDone();
    }

    @Test
    void shouldPrepareNothingForADryRun() {
        undo("?hold=INC-7&dryRun=true", Map.of("command", "c-0"));

        assertThat(ports.changes).isEmpty();
        assertThat(ports.commands.undoCounts).hasSize(1);
    }

    @Test
    @Tag("T-4")
    void shouldPrepareAnUndoThatIsKnownOnlyOnce() {
        // given
        Answer first = undo("?hold=INC-7&commandId=u-1", Map.of("command", "c-0"));

        // when
        Answer second = undo("?hold=INC-7&commandId=u-1", Map.of("command", "c-0"));

        // then
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
        assertThat(ports.changes).hasSize(1);
        assertThat(ports.commands.submitted).hasSize(1);
    }

    @Test
    void shouldSayWhatStandsIfTheUndoIsRefused() {
        // given
        ports.commands.state = State.REFUSED;
        ports.commands.refusal = Refusal.FAILED;
        ports.commands.detail = "the disk is full";

        // when
        JsonNode problem = undo("?hold=INC-7", Map.of("command", "c-0")).json();

        // then
        assertThat(problem.path("status").asInt()).isEqualTo(409);
        assertThat(problem.path("refusal").asText()).isEqualTo("FAILED");
        assertThat(problem.path("detail").asText())
                .contains(
                        "the disk is full",
                        "the hold INC-7 over stream:orders/1 stays in force",
                        "ebb hold release INC-7");
    }

    @Test
    void shouldSayWhatStandsIfTheUndoCannotBeSent() {
        // given
        ports.commands.failure = new UnavailableException("the broker did not take it", new RuntimeException());

        // when
        Answer answer = undo("?hold=INC-7", Map.of("command", "c-0"));

        // then
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.json().path("detail").asText())
                .contains("the broker did not take it", "the hold INC-7 over stream:orders/1 stays in force");
    }

    private static Undone found(long events, long executions, Map<NotReturned, Long> left) {
        return new Undone(events, 10 * events, 1, executions, left, List.of(), List.of("orders/1"), null);
    }

    private void inForce(RetentionPolicy policy) {
        ports.policies.put(policy.scope(), new VersionedPolicy(policy, 6, 0));
    }

    private void assertNothingWasDone() {
        assertThat(ports.changes).isEmpty();
        assertThat(ports.commands.submitted).isEmpty();
    }

    private UndoDeletes sent() {
        return (UndoDeletes) ports.commands.submitted.get(0).command();
    }

    private Answer undo(String query, Map<String, Object> body) {
        String path = "/v1/undo" + query + (query.isEmpty() ? "?" : "&") + "actor=anna&reason=why";
        return client.send("POST", path, "application/json", ApiJson.tree(body).toString());
    }

    private static RetentionPolicy policy(int days) {
        return RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(Duration.ofDays(days).toMillis()))
                .build();
    }
}
