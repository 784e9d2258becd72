package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.ebb.cli.client.Json;
import dev.ebb.plan.PolicyPlanView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.ForecastView;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.FieldDifference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import dev.ebb.wire.policies.PolicyRecordView;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Confirming, releasing, removing and pruning show what goes, ask, want a reason and name the application. */
@Tag("O-26")
class ChangesAskTest {

    private static final Changed DONE = new Changed(true, 8, List.of(), List.of(), List.of(), List.of(), List.of());

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(folder.resolve("p.yaml"), "policies: []\n");
        api.answer(
                "GET /v1/policies/waiting",
                new WaitingPolicyView.All(List.of(new WaitingPolicyView(
                        "namespace:n",
                        17,
                        17,
                        "otto",
                        Instant.EPOCH,
                        "it would delete 322 of 400 events",
                        322L,
                        false,
                        400L))));
        api.answer("GET /v1/holds/C-1", new HoldView("C-1", "namespace:n", "litigation", "eva", Instant.EPOCH));
        api.answer(
                "GET /v1/policies/namespace:n",
                new PolicyRecordView("namespace:n", Json.object().put("maxAge", "30d"), 3L, null, false, null));
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(
                        false,
                        List.of(
                                new Difference(
                                        "namespace:n",
                                        Kind.MISSING,
                                        List.of(new FieldDifference("maxAge", TextNode.valueOf("30d"), null))),
                                new Difference("hold:C-1", Kind.MISSING, List.of())),
                        List.of()));
        api.answer("GET /v1/policies/export", "{\"policies\":[{\"scope\":\"namespace:n\",\"maxAge\":\"30d\"}]}");
        AmountView stored = new AmountView(40, 400);
        api.answer(
                "POST /v1/policies:plan?prune=true&wait=10",
                new PolicyPlanView(
                        "p-1",
                        "DONE",
                        Instant.EPOCH,
                        null,
                        3L,
                        new PolicyPlanView.GoingView(
                                12, 120, 2, List.of(new PolicyPlanView.TombstonesView("orders", "shop.orders", 9))),
                        stored,
                        0.3,
                        new PolicyPlanView.BrakeView(
                                true, 20, 5, 0, "the brake would hold it back: 12 of 40", true, 8L),
                        List.of(),
                        null,
                        List.of()));
        api.answer("GET /v1/forecast?from=*", forecast(1, 2));
        api.answer("GET /v1/forecast?released=C-1&from=*", forecast(8, 32));
        api.answer(
                "POST /v1/policies/confirm?actor=me&reason=r&key=namespace:n&version=17&wouldDelete=322&records=1",
                DONE);
        api.answer("DELETE /v1/holds/C-1?actor=me&reason=r", DONE);
        api.answer("DELETE /v1/policies/namespace:n?actor=me&reason=r", DONE);
        api.answer("POST /v1/policies:apply?prune=true&actor=me&reason=r", DONE);
    }

    private static ForecastView forecast(long overdue, long later) {
        AmountView none = AmountView.NOTHING;
        AmountView all = new AmountView(40, 400);
        var row = new ForecastView.NamespaceView(
                "n",
                all,
                new AmountView(overdue, 0),
                none,
                List.of(new ForecastView.DueView(later, 0, true)),
                none,
                none);
        return new ForecastView(0, 0, 0, 0, true, 0, false, all, 40, List.of(), List.of(row), null, List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy confirm namespace:n|322 of 400 events|Confirm the change of namespace:n?",
                "hold release C-1|7 events fall due at once, and 30 more within 7 days.|Release the hold C-1 over namespace:n?",
                "policy delete namespace:n|12 events of 40 would go at the next sweep, counting those that are due anyway; the brake would hold it back: 12 of 40;"
                        + " 2 rows would go from SQL, and the events stay; up to 9 tombstones would go to topic"
                        + " shop.orders."
                        + "|Remove the policy of namespace:n?",
                "policy apply --prune -f FILE|12 events of 40 would go at the next sweep|Apply the file, and remove 1 policy?"
            })
    void shouldShowWhatGoesAndAskForTheApplicationThatItNames(String line) {
        // given
        String[] parts = line.split("\\|", -1);
        String[] command = words(parts[0] + " --actor me --reason r");

        // when
        CommandRun no = api.typed("n\n", command);
        long changes = changes();
        CommandRun yes = api.typed("y\n", command);

        // then
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(changes).isZero();
        assertThat(no.err()).contains("This is for the application at " + api.url() + ".", parts[2] + " [y/N]");
        assertThat(no.out() + no.err()).contains(parts[1]);
        assertThat(yes.exitCode()).as(yes.err()).isZero();
        assertThat(changes()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy confirm namespace:n|it would delete 322 of 400 events",
                "hold release C-1|7 events fall due at once",
                "policy delete namespace:n|12 events of 40 would go",
                "policy apply --prune -f FILE|12 events of 40 would go"
            })
    void shouldNeedAReasonAndWhereNobodyIsAskedAYes(String line) {
        // given
        String[] parts = line.split("\\|", -1);

        // when
        CommandRun withoutReason = api.run(words(parts[0] + " --yes"));
        CommandRun withoutYes = api.run(words(parts[0] + " --reason r"));

        // then
        assertThat(withoutReason.exitCode()).isEqualTo(2);
        assertThat(withoutReason.err()).contains("--reason is missing");
        assertThat(withoutYes.exitCode()).isEqualTo(2);
        assertThat(withoutYes.err()).contains("--yes", parts[1]);
        assertThat(changes()).isZero();
    }

    @Test
    void shouldSayThatNothingFallsDueAtOnce() {
        // given
        api.answer("GET /v1/forecast?released=C-1&from=*", forecast(1, 2));

        // then
        assertThat(api.typed("n\n", words("hold release C-1 --reason r")).err())
                .contains("Nothing falls due at once, and nothing more within 7 days.");
    }

    @Test
    void shouldAskNothingWhereNothingWouldBeRemoved() {
        // given
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(
                        false,
                        List.of(new Difference(
                                "namespace:n",
                                Kind.CHANGED,
                                List.of(new FieldDifference("maxCount", IntNode.valueOf(1), IntNode.valueOf(2))))),
                        List.of()));
        api.answer("POST /v1/policies:apply?prune=true&actor=me", DONE);

        // then
        assertThat(api.run(words("policy apply --prune --actor me -f FILE")).exitCode())
                .isZero();
    }

    private String[] words(String line) {
        return Stream.of(line.split(" ", -1))
                .map(word -> word.equals("FILE") ? folder.resolve("p.yaml").toString() : word)
                .toArray(String[]::new);
    }

    private long changes() {
        return api.requests().stream()
                .filter(request -> !request.method().equals("GET")
                        && !request.uri().equals("/v1/policies/diff")
                        && !request.uri().startsWith("/v1/policies:plan"))
                .count();
    }
}
