package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.topology.Outcomes;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan of policies as a file: made, read by a person, and applied. */
@Tag("T-7")
class PlanFileTest {

    private static final String POLICIES = "policies: [{scope: '*', maxAge: 30d}]\n";
    private static final String CHANGED = "{\"inForce\":true,\"version\":8,\"set\":[\"*\"],\"removed\":[]}";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @TempDir
    private Path folder;

    @Test
    void shouldApplyThePoliciesInTheFile() throws IOException {
        // given
        Path plan = plan();
        api.otherwise(200, CHANGED);

        // when
        CommandRun run = api.run("policy", "apply", "--plan", plan.toString(), "--actor", "me");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        FakeApi.Request applied = api.requests().get(api.requests().size() - 1);
        assertThat(applied.uri()).startsWith("/v1/policies:apply?").contains("plan=p-1");
        assertThat(applied.body()).isEqualTo(POLICIES);
    }

    @Test
    @Tag("O-26")
    void shouldAskBeforeAPlanRemovesPolicies() throws IOException {
        // given
        Path plan = plan("--prune");
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(
                        false, List.of(new Difference("namespace:n", Kind.MISSING, List.of())), List.of()));
        api.otherwise(200, CHANGED);

        api.answer("POST /v1/policies:plan?prune=true&wait=10", 503, "{\"detail\":\"not ready\"}");

        // when
        CommandRun withoutReason = api.run("policy", "apply", "--plan", plan.toString(), "--yes");
        CommandRun withoutYes = api.run("policy", "apply", "--plan", plan.toString(), "--reason", "r");
        boolean isSent = isApplied();
        CommandRun run = api.run("policy", "apply", "--plan", plan.toString(), "--reason", "r", "--yes");

        // then
        assertThat(withoutReason.exitCode()).isEqualTo(2);
        assertThat(withoutReason.err()).contains("--reason is missing");
        assertThat(withoutYes.exitCode()).isEqualTo(2);
        assertThat(withoutYes.err()).contains("this removes 1 policy", "namespace:n", "--yes");
        assertThat(isSent).isFalse();
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(isApplied()).isTrue();
    }

    private boolean isApplied() {
        return api.requests().stream().anyMatch(request -> request.uri().startsWith("/v1/policies:apply"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"outcome", "updatedAt", "commandId", "addedByHand"})
    @DisplayName("PlanFileEditedRefused")
    void shouldRefuseAFileThatWasEdited(String field) throws IOException {
        // given
        Path plan = plan();
        ObjectNode content = read(plan);
        Files.writeString(plan, content.put(field, "7").toString());
        int before = api.requests().size();

        // when
        CommandRun run = api.run("policy", "apply", "--plan", plan.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("edited", field);
        assertThat(api.requests()).as("nothing is sent").hasSize(before + 1);
    }

    @Test
    void shouldSayWhatIsNoPlan() throws IOException {
        Path file = Files.writeString(folder.resolve("p.json"), "{\"policies\": []}");

        assertThat(api.run("policy", "apply", "--plan", file.toString()).err())
                .contains("is not a plan", "policy plan");
        assertThat(api.run("policy", "apply").exitCode()).isEqualTo(2);
    }

    /** Makes the file the way a person does. */
    private Path plan(String... more) throws IOException {
        CommandResultView result = CommandResultView.of(dryRun());
        Path file = Files.writeString(folder.resolve("p.yaml"), POLICIES);
        api.otherwise(200, result);
        String[] command = Stream.concat(
                        Stream.of("policy", "plan", "-f", file.toString(), "-o", "json"), Stream.of(more))
                .toArray(String[]::new);
        CommandRun made = api.run(command);
        assertThat(made.exitCode()).as(made.err()).isZero();
        api.answer("GET /v1/commands/p-1", result);
        return Files.writeString(folder.resolve("plan.json"), made.out());
    }

    private static ObjectNode read(Path plan) throws IOException {
        try {
            return (ObjectNode) Json.parse(Files.readString(plan));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static CommandResult dryRun() {
        PlanDigest events = PlanDigest.of(new StreamName("a"), "e", 5);
        return new CommandResult(
                "p-1",
                "sweep",
                CommandResult.State.DONE,
                null,
                "",
                true,
                new Outcome.Swept(
                        Outcomes.deleted(1, 0, 0, 1, 0, 100, Map.of()), Outcome.Parts.NONE, Instant.ofEpochMilli(5), 7),
                new PlanOutcome("p-1", "eva", 5, 86_400_005, events, null, Map.of()),
                null,
                Instant.ofEpochMilli(1),
                Instant.ofEpochMilli(2),
                "");
    }
}
