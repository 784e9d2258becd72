package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.FakeApi.Request;
import dev.ebb.undo.TrashedView;
import dev.ebb.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("T-2")
class UndoCommandsTest {

    private static final String SENT = "POST /v1/undo?commandId=u&actor=eva&reason=x";
    private static final String AS = " --reason x --command-id u --actor eva --yes";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldShowWhatCameBackAndWhatDidNot() {
        // given
        api.answer(SENT + "&wait=2", 200, result("DONE", "PART", "\"REUSED\":2,\"SUPERSEDED\":1"));

        // when
        CommandRun run = run("undo --command c-0 --namespace orders" + AS);

        // then
        assertThat(run.out())
                .contains("events that came back", "1,000", "left out, REUSED", "orders/1", "e-7")
                .contains("under notice until", "due again after that", "37")
                .doesNotContain("deleted");
        assertThat(run.exitCode()).as("not all came back").isEqualTo(1);
        assertThat(sent()).isEqualTo(Map.of("command", "c-0", "namespace", "orders"));
    }

    @ParameterizedTest
    @CsvSource({"ALL, 0", "PART, 1", "NOTHING, 1"})
    void shouldEndWithOneIfNotAllCameBack(String extent, int exitCode) {
        api.answer(SENT + "&wait=2", 200, result("DONE", extent, ""));

        assertThat(run("undo --sweep s-1" + AS).exitCode()).isEqualTo(exitCode);
    }

    @Test
    @Tag("T-3")
    void shouldSayWhatStandsIfARunningUndoIsRefused() {
        // given
        String prepared =
                ",\"prepared\":{\"holds\":[{\"holdCase\":\"INC-7\",\"covers\":\"stream:a/1\"}],\"policy\":null,\"policyVersion\":8}";
        api.answer(
                "POST /v1/undo?hold=INC-7&commandId=u&actor=eva&reason=x&wait=2",
                202,
                "{\"commandId\":\"u\",\"state\":\"RUNNING\"" + prepared + "}");
        api.answer(
                "GET /v1/commands/u?wait=5",
                200,
                "{\"commandId\":\"u\",\"verb\":\"undo\",\"state\":\"REFUSED\",\"refusal\":\"FAILED\",\"detail\":\"the"
                        + " disk is full\"}");

        // when
        CommandRun run = run("undo --since 20m --hold INC-7" + AS);

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err())
                .contains(
                        "the disk is full", "the hold INC-7 over stream:a/1 stays in force", "ebb hold release INC-7");
    }

    @ParameterizedTest
    @CsvSource({
        "--policy namespace:orders@7 --revert, 'Put the former policy back in force, and then bring back 1,000 events?'",
        "--since 20m --hold INC-7, 'Place the hold INC-7, and then bring back 1,000 events?'",
        "--since 20m, 'Bring back 1,000 events?'"
    })
    @Tag("T-3")
    void shouldAskAboutAllThatMayComeBack(String line, String question) {
        // given
        api.otherwise(200, result("DONE", ""));

        // when
        CommandRun run = api.typed("n\n", ("undo " + line + " --reason x").split(" "));

        // then
        assertThat(run.out() + run.err()).contains(question);
        assertThat(api.requests()).hasSize(1);
    }

    @Test
    void shouldShowTheResultAsJson() {
        api.answer(SENT + "&wait=2", 200, result("DONE", ""));

        CommandRun run = run("undo --sweep s-1 -o json" + AS);

        assertThat(run.out()).contains("\"notReturned\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--reason x --yes",
                "--command c --sweep s --reason x --yes",
                "--command c --until 5m --reason x --yes",
                "--command c --namespace n --stream n/1 --reason x --yes",
                "--command c --revert --reason x --yes",
                "--policy namespace:orders --revert --reason x --yes",
                "--policy namespace:orders@7 --revert --hold c --reason x --yes",
                "--policy orders --reason x --yes",
                "--since soon --reason x --yes",
                "--command c --yes",
                "--command c --reason x"
            })
    void shouldRefuseWhatMakesNoSense(String line) {
        CommandRun run = run("undo " + line);

        assertThat(run.exitCode()).as(run.toString()).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }

    /** What ends with a number behind an @ is a version. */
    @ParameterizedTest
    @CsvSource({
        "namespace:orders, namespace:orders,",
        "namespace:orders@7, namespace:orders, 7",
        "stream:a@b, stream:a@b,",
        "stream:a@1@7, stream:a@1, 7",
        "hold:c@9, hold:c, 9",
        "*@9, *, 9"
    })
    void shouldReadThePolicyAndItsVersion(String text, String policy, Long version) {
        api.answer(SENT + "&wait=2", 200, result("DONE", ""));

        run("undo --policy " + text + AS);

        assertThat(sent().get("policy")).isEqualTo(policy);
        assertThat(sent().get("version")).isEqualTo(version == null ? null : version.intValue());
    }

    @Test
    @Tag("T-5")
    void shouldListWhatWaits() {
        // given
        Instant deleted = Instant.parse("2026-11-01T10:00:00Z");
        Instant until = Instant.parse("2026-11-02T10:00:00Z");
        TrashedView purged = new TrashedView(
                "c-1",
                null,
                null,
                "PURGE",
                "command",
                "or\u001bders",
                1234,
                2048,
                77,
                deleted,
                deleted,
                until,
                until,
                0);
        TrashedView swept = new TrashedView(
                null,
                "s-1",
                "namespace:mail@7",
                "MAX_AGE",
                "*",
                "mail",
                5,
                50,
                0,
                deleted,
                deleted,
                until,
                until,
                4321);
        TrashedView bySettings = new TrashedView(
                null,
                "s-2",
                "settings@9",
                "MAX_AGE",
                "namespace:mail",
                "mail",
                6,
                60,
                0,
                deleted,
                deleted,
                until,
                until,
                0);
        api.answer(
                "GET /v1/trash?namespace=mail&limit=100",
                new TrashedView.Page(List.of(purged, swept, bySettings), null, List.of()));

        // when
        CommandRun run = run("trash list --namespace mail");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "command c-1", "policy namespace:mail@7", "1,234", "2.0 KiB", "77", "PURGE", "MAX_AGE", "4,321")
                .contains("policy settings@9 of namespace:mail")
                .doesNotContain("\u001b");
    }

    /** A head alone left open whether anything was asked. */
    @Test
    @Tag("T-5")
    void shouldSayThatNothingWaits() {
        api.answer("GET /v1/trash?limit=100", new TrashedView.Page(List.of(), null, List.of()));

        assertThat(run("trash list").out().lines()).last().isEqualTo("(none)");
    }

    private CommandRun run(String line) {
        return api.run(line.split(" "));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> sent() {
        Request first = api.requests().get(0);
        return WireJson.read(first.body().getBytes(StandardCharsets.UTF_8), Map.class);
    }

    private static String result(String state, String notReturned) {
        return result(state, "ALL", notReturned);
    }

    private static String result(String state, String extent, String notReturned) {
        return "{\"commandId\":\"u\",\"verb\":\"undo\",\"state\":\"" + state
                + "\",\"detail\":\"\",\"outcome\":{\"kind\":\"undone\",\"extent\":\"" + extent
                + "\",\"events\":1000,\"streamNames\":[],"
                + "\"notice\":{\"until\":\"2026-11-28T12:00:00Z\",\"dueThen\":37,\"firstDueAt\":null},"
                + "\"bytes\":5000,\"streams\":3,\"executions\":0,\"notReturned\":{" + notReturned
                + "},\"named\":[{\"stream\":\"orders/1\",\"id\":\"e-7\",\"reason\":\"REUSED\"}]}" + "}";
    }
}
