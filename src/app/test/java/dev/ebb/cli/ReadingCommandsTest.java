package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.wire.events.EventRow;
import dev.ebb.wire.events.ExecutionView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that show executions, open events, and coming deletions. */
@Tag("O-16")
class ReadingCommandsTest {

    private static final String STANDING = "{\"parent\":\"plans/1\",\"currentExecution\":10,\"open\":true,"
            + "\"openExecutions\":5,\"openExecutionNumbers\":[10,9,8],\"openEvents\":1,\"openEventIds\":[\"e-1\"]}";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    @Tag("M-5")
    void shouldListExecutions() {
        // given
        Instant since = Instant.parse("2020-01-01T00:00:00Z");
        ExecutionView running =
                new ExecutionView(10, "plans/1", true, "running", true, since, null, null, 1234, 2048, 1230);
        ExecutionView implicit = new ExecutionView(0, null, false, null, false, null, null, null, 1, 2, 0);
        api.answer(
                "GET /v1/streams/jobs%2F1/executions?limit=2",
                new ExecutionView.Page(List.of(running, implicit), "0", List.of()));

        // when
        CommandRun run = api.run("execution", "list", "jobs/1", "--limit", "2");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("10 +open, current +running +\\d+ d ago +1,234 +2.0 KiB +1,230 +plans/1")
                .containsPattern("0 +closed +- +- +1 +2 B +0 +-");
        assertThat(run.err()).contains("--after 0");
    }

    @Test
    @Tag("M-6")
    void shouldDescribeTheParentOfAStreamAndItsOpenExecutions() {
        // given
        api.answer(
                "GET /v1/streams/jobs%2F1",
                200,
                "{\"usage\":{\"stream\":\"jobs/1\",\"namespace\":\"jobs\",\"events\":1},\"standing\":" + STANDING
                        + ",\"policy\":{}}");
        api.answer(
                "GET /v1/streams/jobs%2F2",
                200,
                "{\"usage\":{\"stream\":\"jobs/2\"},\"standing\":{\"parent\":null,\"currentExecution\":0,\"open\":false,"
                        + "\"waitingEnds\":{\"ends\":5,\"executions\":[1,2,3]}},"
                        + "\"policy\":{}}");

        // then
        assertThat(api.run("stream", "describe", "jobs/1").out())
                .containsPattern("parent +plans/1")
                .containsPattern("execution +10")
                .contains("open: executions 10, 9, 8 and 2 more are not terminal;")
                .contains("event 'e-1' is of a protected status");
        assertThat(api.run("stream", "describe", "jobs/2").out())
                .containsPattern("state +closed")
                .containsPattern("waiting +ends of executions 1, 2, 3 and 2 more wait for their events");
    }

    @Test
    @Tag("M-6")
    void shouldNameOpenExecutionsBelowARefusal() {
        // given
        api.answer("GET /v1/streams/jobs%2F1", 200, "{\"standing\":" + STANDING + "}");
        api.otherwise(409, "{\"refusal\":\"STREAM_OPEN\",\"detail\":\"it is still open\"}");

        // when
        CommandRun run = api.run("delete", "jobs/1", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("it is still open", "Open: executions 10, 9, 8 and 2 more", "event 'e-1'");
    }

    @Test
    @Tag("M-6")
    void shouldLeaveARefusalAsItIsWhenTheStreamIsNotOpenAnyMore() {
        // given
        api.answer("GET /v1/streams/jobs%2F1", 404, "{\"detail\":\"gone\"}");
        api.otherwise(409, "{\"refusal\":\"STREAM_OPEN\",\"detail\":\"it is still open\"}");

        // when
        CommandRun run = api.run("delete", "jobs/1", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("it is still open").doesNotContain("Open:", "gone");
    }

    @Test
    @Tag("M-6")
    void shouldLeaveARefusalAsItIsWhenOpenExecutionsAreUnknown() {
        // given
        api.answer("GET /v1/streams/jobs%2F1", 503, "{\"detail\":\"partition 1 is moving\"}");
        api.otherwise(409, "{\"refusal\":\"STREAM_OPEN\",\"detail\":\"it is still open\"}");

        // when
        CommandRun run = api.run("delete", "jobs/1", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("it is still open").doesNotContain("moving");
    }

    @Test
    @Tag("M-17")
    void shouldListComingDeletionsOfAllStreamsOfANamespace() {
        // given
        Instant stored = Instant.parse("2020-01-01T00:00:00Z");
        Instant due = Instant.now().plus(Duration.ofHours(9));
        EventRow event = new EventRow("orders/1", "e-1", "paid", null, stored, stored, 70, false, due, "goes");
        api.answer(
                "GET /v1/namespaces/orders/events?expiring-within=24h&limit=1",
                new EventRow.Page(List.of(event), "xyz"));

        // when
        CommandRun run = api.run("event", "list", "--namespace", "orders", "--expiring-within", "24h", "--limit", "1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("GOES +STREAM +ID").containsPattern("in 9 h +orders/1 +e-1 +paid");
        assertThat(run.err()).contains("--after xyz");
    }

    @Test
    @Tag("R-15")
    void shouldSearchTheEventsOfAllStreams() {
        // given
        Instant at = Instant.parse("2020-01-01T00:00:00Z");
        EventRow event = new EventRow("orders/1", "e-1", "paid", null, at, at, 70, false, null, "never");
        String search = "GET /v1/events?namespace=orders&where=metadata%2Euser%3D4%202&where=type%3Dpaid&limit=100";
        api.answer(search, new EventRow.Page(List.of(), "0@ff"));
        api.answer(search + "&after=0%40ff", new EventRow.Page(List.of(event), null));

        // when
        CommandRun run = api.run(
                "event", "list", "--namespace", "orders", "--where", "metadata.user=4 2", "--where", "type=paid");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("GOES +STREAM +ID").containsPattern("never by age +orders/1 +e-1 +paid");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "event list a/1 --where id=e | leave STREAM out and add --where 'stream=a/1'",
                "event list --where id=e --status x | write --where 'status=x' instead of --status",
                "event list --where id=e --expiring-within 1d | cannot be combined",
                "event list --where user=42 | is not a field of an event",
                "event list --where user | is not a condition such as metadata.user=42",
                "event list | name one STREAM, or --namespace and --expiring-within",
                "event list a/1 --namespace a --expiring-within 1d | name one STREAM, or --namespace",
                "event list --namespace a | --namespace needs --expiring-within, such as 24h",
                "event list --namespace a --expiring-within 1d --status x | --status is for the events of one STREAM",
                "execution list | Missing required parameter: 'STREAM'",
                "execution list a --limit 0 | --limit must be at least 1",
                "execution list a b | 'b'"
            })
    void shouldNameTheFixForSenselessOptions(String command, String hint) {
        // when
        CommandRun run = api.run(command.strip().split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(hint);
        assertThat(api.requests()).isEmpty();
    }
}
