package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.archive.ArchiveView;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deleted events are shown. */
@Tag("O-16")
class ArchiveCommandsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListArchivedEvents() {
        // given
        api.answer(
                "GET /v1/archive?stream=n%2F1&namespace=n&cause=TTL&sweep=s-1&from=2026-11-01T00:00:00Z&to=2026-11-01T23:59:59%2E999Z&limit=1",
                new ArchiveView.Page(List.of(archived("0-7", "a")), "xyz"));

        // when
        CommandRun run = api.run(
                ("archive list --stream n/1 --namespace n --cause TTL --sweep s-1 --from 2026-11-01 --to 2026-11-01"
                                + " --limit 1")
                        .split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("0-7", "2026-11-01T10:00:00Z", "TTL", "n/1", "paid", "its own TTL");
        assertThat(run.err()).contains("--after xyz");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"archive list --cause NONE | '--cause'", "archive list n | 'n'"})
    void shouldNameTheFixForSenselessOptions(String command, String hint) {
        // when
        CommandRun run = api.run(command.strip().replace("' '", "\u0001").split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(hint);
        assertThat(api.requests()).isEmpty();
    }

    private static ArchiveView archived(String record, String id) {
        Instant deleted = Instant.parse("2026-11-01T10:00:00.123Z");
        return new ArchiveView(
                record, "n/1", id, "paid", null, 0, deleted, null, null, deleted, "TTL", "event", null, "s-1", null,
                70);
    }
}
