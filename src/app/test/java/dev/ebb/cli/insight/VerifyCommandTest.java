package dev.ebb.cli.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.FakeApi;
import dev.ebb.cli.client.Json;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.wire.instance.VerificationView;
import dev.ebb.wire.instance.VerificationView.Compared;
import dev.ebb.wire.instance.VerificationView.Repair;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Row;
import dev.ebb.wire.instance.VerificationView.State;
import dev.ebb.wire.instance.VerificationView.Sums;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("A-15")
class VerifyCommandTest {

    private static final String T = "2026-11-28T10:00:00Z";
    private static final String BEGIN = "POST /v1/verify?wait=1m";
    private static final String LOOK = "GET /v1/verify/7%40one:8480";
    private static final Row ROW = new Row(
            "orders/1",
            "2026-11-30T23:59:59.999999Z",
            "a\u001b[31m",
            null,
            What.DIFFERS,
            List.of("type", "payload"),
            "event",
            null,
            null);

    private static final Compared COMPARED = new Compared(
            "2026-11-28T10:00:00.100Z",
            "2026-11-28T10:00:00.300Z",
            "2026-11-28T10:00:00.200Z",
            "2026-11-28T10:00:00.400Z",
            "12,13;14,15",
            1999,
            List.of("2026-10", "2026-11"),
            2001,
            7);

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @BeforeEach
    void start() {
        api.answer(BEGIN, view(State.RUNNING, "", null));
    }

    @Test
    void shouldWaitForTheResultAndSayThatBothAreEqual() {
        // given
        api.answer(LOOK, view(State.DONE, "", result(0, List.of(), false, null)));

        // when
        CommandRun run = api.run("verify");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("Stores and SQL are equal.").containsPattern("event +2,000 +2,000");
    }

    @Test
    @Tag("O-16")
    void shouldNameDifferencesAndEndWithThree() throws Exception {
        // given
        api.answer(LOOK, view(State.DONE, "", result(1, List.of(ROW), false, null)));

        // when
        CommandRun run = api.run("verify");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out())
                .contains("orders/1", "2026-11-30T23:59:59.999999Z", "differs", "type, payload", "1 row differs")
                .contains("'ebb verify --repair' repairs this")
                .doesNotContain("\u001b");
        assertThat(Json.parse(api.run("verify", "-o", "json").out())
                        .at("/rows/0/eventId")
                        .asText())
                .isEqualTo("a\u001b[31m");
    }

    @Test
    void shouldSayWhatItComparedAndWhen() throws Exception {
        // given
        api.answer(LOOK, view(State.DONE, "", result(0, List.of(), false, null)));

        // then
        assertThat(api.run("verify").out())
                .contains("Compared: 1,999 streams with events in 2 months (2026-10 to 2026-11), 7 streams with"
                        + " executions.")
                .contains("Stores were read from 2026-11-28T10:00:00.100Z to 2026-11-28T10:00:00.300Z, SQL from"
                        + " 2026-11-28T10:00:00.200Z to 2026-11-28T10:00:00.400Z. Later changes, and events that fell due"
                        + " later, were not compared.");
        assertThat(Json.parse(api.run("verify", "-o", "json").out())
                        .at("/compared/storesTo")
                        .asText())
                .isEqualTo("2026-11-28T10:00:00.300Z");
    }

    @Test
    @Tag("O-24")
    void shouldSayWhyRowsDifferAndWhatToRunByHand() {
        // given
        Row refused =
                new Row("a", T, "e1", null, What.MISSING_IN_SQL, List.of(), "event", "the database refuses it", null);
        Row evil = new Row(
                "b\u001b", T, "e2", null, What.TOO_MANY_IN_SQL, List.of(), "event", "its stream is none", "DELETE …;");
        api.answer(
                "POST /v1/verify/repair?actor=eva&wait=1m",
                view(State.DONE, "", result(2, List.of(refused, evil), false, new Repair(1, 0, 2))));

        // when
        CommandRun run = api.run("verify", "--repair", "--actor", "eva");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out())
                .contains("a e1: the database refuses it", "its stream is none")
                .contains("Delete them by hand, in SQL:", "  DELETE …;")
                .contains("2 rows still differ, for the reasons above.")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldNameExecutionsAndCountTheRest() {
        // given
        Row execution = new Row("orders/1", null, null, 7L, What.TOO_MANY_IN_SQL, List.of(), "execution", null, null);
        api.answer(LOOK, view(State.DONE, "", result(2, List.of(execution), false, null)));

        // then
        assertThat(api.run("verify").out())
                .containsPattern("execution 7 +- +too many in SQL +-")
                .contains("2 rows differ, of which the first 1 are named");
    }

    @Test
    void shouldAskForARepairAndPrintItsResult() {
        // given
        api.answer(
                "POST /v1/verify/repair?actor=eva&reason=why&wait=5s",
                view(State.DONE, "", result(1, List.of(ROW), false, new Repair(1, 0, 0))));

        // when
        CommandRun run = api.run("verify", "--repair", "--actor", "eva", "--reason", "why", "--wait", "5s");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("Sent again: 1 row, and 0 deletes. Now they are equal.");
    }

    @Test
    void shouldEndWithThreeWhereARepairDidNotHeal() {
        // given
        api.answer(
                "POST /v1/verify/repair?actor=eva&wait=1m",
                view(State.DONE, "", result(1, List.of(ROW), false, new Repair(1, 0, 1))));

        // then
        CommandRun run = api.run("verify", "--repair", "--actor", "eva");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).contains("1 row still differs, for the reasons above.");
    }

    @Test
    void shouldEndWithFourWhereSqlDidNotCatchUp() {
        // given
        api.answer(LOOK, view(State.DONE, "", result(0, List.of(), true, null)));

        // then
        CommandRun run = api.run("verify");
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.out()).contains("SQL did not catch up in time");
    }

    @Test
    void shouldTakeAReasonForARepairOnly() {
        assertThat(api.run("verify", "--reason", "why").exitCode()).isEqualTo(2);
        assertThat(api.run("verify", "--wait", "soon").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldSayThatItIsNotReady() {
        // given
        api.answer(BEGIN, 503, "{\"detail\":\"the SQL mirror has not been started yet\"}");

        // then
        CommandRun run = api.run("verify");
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("has not been started yet");
    }

    @Test
    void shouldSayWhyThereIsNoResult() {
        // given / then
        api.answer(LOOK, view(State.NOT_READY, "partition 3 is away", null));
        assertThat(api.run("verify").exitCode()).isEqualTo(4);
        assertThat(api.run("verify").err()).contains("partition 3 is away");
        api.answer(LOOK, view(State.FAILED, "a fault", null));
        assertThat(api.run("verify").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldShowDifferencesOnTheWayOnlyWhereThereAreAny() {
        VerificationView none = new VerificationView("7", State.RUNNING, "waiting", 2, 0, "", null);
        VerificationView one = new VerificationView("7", State.RUNNING, "done", 2, 1, "", null);

        assertThat(VerifyCommand.progress(none)).isEqualTo("waiting; 2 streams compared");
        assertThat(VerifyCommand.progress(one)).isEqualTo("done; 2 streams compared, 1 difference so far");
    }

    private static VerificationView view(State state, String detail, Result result) {
        return new VerificationView("7@one:8480", state, "comparing", 1, 0, detail, result);
    }

    private static Result result(long differences, List<Row> rows, boolean isBehind, Repair repair) {
        return new Result(
                differences == 0 && !isBehind,
                new Sums(2000, 2000),
                new Sums(0, 0),
                COMPARED,
                differences,
                rows,
                differences - rows.size(),
                0,
                List.of(),
                isBehind,
                0,
                List.of(),
                repair);
    }
}
