package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.wire.ProblemView;
import dev.ebb.wire.history.ArchiveView;
import dev.ebb.wire.history.RestoreView;
import dev.ebb.wire.history.RestoreView.Outcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deleted events are shown and brought back. */
@Tag("O-16")
class ArchiveCommandsTest {

    private static final String LIST = "GET /v1/archive?namespace=n&limit=1000";
    private static final String PLAN = "POST /v1/streams/n%2F1/restore?dryRun=true";
    private static final String SEND = "POST /v1/streams/n%2F1/restore";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListArchivedEvents() {
        // given
        api.answer(
                "GET /v1/archive?stream=n%2F1&namespace=n&cause=TTL&sweep=s-1&from=2026-11-01T00:00:00Z&to=5&limit=1",
                new ArchiveView.Page(List.of(archived("0-7", "a")), "xyz"));

        // when
        CommandRun run =
                api.run(("archive list --stream n/1 --namespace n --cause TTL --sweep s-1 --from 2026-11-01 --to 5"
                                + " --limit 1")
                        .split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("0-7", "2026-11-01T10:00:00Z", "TTL", "n/1", "paid", "event");
        assertThat(run.err()).contains("--after xyz");
    }

    @Test
    void shouldNameEventsThatWouldComeBackAndSendNothing() {
        // given
        prepare();

        // when
        CommandRun run = api.run("archive", "restore", "--namespace", "n", "--dry-run");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("STREAM +EVENTS +BYTES +STAY +PROTECTED +DUE AGAIN +THERE")
                .containsPattern("n/1 +4 +280 B +1 +1 +1 +1")
                .contains("2 events of 4 would come back");
        assertThat(run.err())
                .contains("1 event would be deleted again by the next sweep", "1 event would come back protected");
        assertThat(api.requests()).noneMatch(request -> ("POST " + request.uri()).equals(SEND));
    }

    @Test
    void shouldSendTheFirstDeletedFirstAndOfEachEventTheLastCopy() {
        // given
        prepare();

        // when
        CommandRun run = api.run("archive", "restore", "--namespace", "n", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("2 events of 4 sent");
        assertThat(run.err()).contains("1 event comes back protected");
        assertThat(api.requests().get(api.requests().size() - 1).body())
                .isEqualTo("{\"records\":[\"0-1\",\"0-2\",\"0-3\",\"0-4\"]}");
    }

    @Test
    void shouldNotCallItADryRunWhenThereIsNothingToSend() {
        // given
        api.answer(LIST, new ArchiveView.Page(List.of(archived("0-1", "a")), null));
        RestoreView.One gone = new RestoreView.One("0-1", null, Outcome.NOT_FOUND, false, null, 0);
        api.answer(PLAN, new RestoreView("n/1", true, 0, List.of(gone)));

        // when
        CommandRun table = api.run("archive", "restore", "--namespace", "n", "--yes");
        CommandRun json = api.run("archive", "restore", "--namespace", "n", "--yes", "-o", "json");

        // then
        assertThat(table.out()).contains("0 events of 1 sent").doesNotContain("would");
        assertThat(table.err()).contains("1 record is not in the archive any more");
        assertThat(json.out()).contains("\"dryRun\" : false");
    }

    @Test
    void shouldAskFirst() {
        // given
        prepare();

        // when
        CommandRun refused = api.typed("n\n", "archive", "restore", "--namespace", "n");
        CommandRun unasked = api.run("archive", "restore", "--namespace", "n");

        // then
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("Bring 2 events back? [y/N]", "nothing was done");
        assertThat(unasked.exitCode()).isEqualTo(2);
        assertThat(unasked.err()).contains("--yes", "--dry-run");
        assertThat(api.requests()).noneMatch(request -> ("POST " + request.uri()).equals(SEND));
    }

    @Test
    void shouldSayThatItCanBeRunAgainWhenItIsBrokenOff() {
        // given
        prepare();
        api.answer(SEND, 503, ProblemView.ofStatus(503, "partition 1 is moving"));

        // when
        CommandRun run = api.run("archive", "restore", "--namespace", "n", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("partition 1 is moving", "0 events sent before that", "Run the command again");
    }

    @Test
    void shouldSayThatThereIsNothing() {
        // given
        api.answer(LIST, new ArchiveView.Page(List.of(), null));

        // when
        CommandRun run = api.run("archive", "restore", "--namespace", "n", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("no such events are archived");
    }

    @Test
    void shouldShowTheSumsToPrograms() {
        // given
        prepare();

        // then
        assertThat(api.run("archive", "restore", "--namespace", "n", "--dry-run", "-o", "json")
                        .out())
                .contains("\"events\" : 4", "\"due\" : 1", "\"dryRun\" : true", "\"n/1\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "archive restore | name a filter, such as --stream or --sweep, or --all",
                "archive restore --all --namespace n | --all cannot be combined with a filter",
                "archive restore --stream ' ' | is not a valid name",
                "archive list --cause NONE | '--cause'",
                "archive list n | 'n'"
            })
    void shouldNameTheFixForSenselessOptions(String command, String hint) {
        // when
        CommandRun run = api.run(command.strip().replace("' '", "\u0001").split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(hint);
        assertThat(api.requests()).isEmpty();
    }

    /** Five records, the latest delete first; one event was archived twice. */
    private void prepare() {
        List<ArchiveView> archived = List.of(
                archived("0-4", "d"),
                archived("0-3", "c"),
                archived("0-2", "b"),
                archived("0-1", "a"),
                archived("0-0", "b"));
        api.answer(LIST, new ArchiveView.Page(archived, null));
        api.answer(PLAN, answer(false));
        api.answer(SEND, answer(true));
    }

    private static ArchiveView archived(String record, String id) {
        Instant deleted = Instant.parse("2026-11-01T10:00:00.123Z");
        return new ArchiveView(
                record, "n/1", id, "paid", null, 0, deleted, null, null, deleted, "TTL", "event", null, "s-1", null,
                70);
    }

    private static RestoreView answer(boolean isSent) {
        return new RestoreView(
                "n/1",
                !isSent,
                isSent ? 2 : 0,
                List.of(
                        one("0-1", Outcome.LIVES, isSent),
                        one("0-2", Outcome.DUE, false),
                        one("0-3", Outcome.PROTECTED, isSent),
                        one("0-4", Outcome.THERE, false)));
    }

    private static RestoreView.One one(String record, Outcome outcome, boolean isSent) {
        return new RestoreView.One(record, "e", outcome, isSent, null, 70);
    }
}
