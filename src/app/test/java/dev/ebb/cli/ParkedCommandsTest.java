package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.parking.ParkedPage;
import dev.ebb.port.ParkedStreamView;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-16")
@Tag("O-20")
class ParkedCommandsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListWaitingRecords() {
        // given
        ParkedStreamView stream = new ParkedStreamView(
                2,
                "orders/1",
                3,
                2048,
                Instant.parse("2026-11-01T10:00:00Z"),
                "schema 7",
                "schema unusable",
                "a reference is gone",
                "ebb.events/2/17");
        api.answer("GET /v1/parked?limit=1", new ParkedPage(List.of(stream), true, List.of()));

        // when
        CommandRun run = api.run("parked", "list", "--limit", "1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("orders/1", "2.0 KiB", "schema 7", "schema unusable: a reference is gone", "ebb.events/2/17");
        assertThat(run.err()).contains("More streams wait");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "drop",
                "drop --reason x",
                "drop --schema 7",
                "drop --schema 7 --policy * --reason x",
                "drop --policy *",
                "drop --policy * --dry-run --reason x",
                "drop --policy * --command-id c --reason x",
                "drop --schema 7 --policy-version 3 --reason x"
            })
    void shouldRefuseOptionsWithoutRecordOrReason(String line) {
        // when
        CommandRun run = api.run(("parked " + line).split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"false, records dropped", "true, records that would be dropped"})
    void shouldSayThatNothingWasDropped(boolean isDryRun, String row) {
        // given
        String query = "?commandId=c&actor=eva&reason=x" + (isDryRun ? "&dryRun=true" : "") + "&wait=2";
        api.answer(
                "POST /v1/parked/drop" + query,
                200,
                "{\"commandId\":\"c\",\"verb\":\"drop-parked\",\"state\":\"DONE\",\"dryRun\":" + isDryRun
                        + ",\"outcome\":{\"kind\":\"dropped\",\"streams\":0,\"records\":0}}");

        // when
        String line = "parked drop --schema 7 --reason x --command-id c --actor eva" + (isDryRun ? " --dry-run" : "");
        CommandRun run = api.run(line.split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern(row + " +0").doesNotContain("events", "deleted");
    }

    @Test
    void shouldOrderAPolicyToBeDropped() {
        // given
        api.answer(
                "POST /v1/policies/drop?key=namespace:orders&version=17&actor=eva&reason=lost",
                202,
                "{\"key\":\"namespace:orders\"}");

        // when
        String line = "parked drop --policy namespace:orders --policy-version 17 --reason lost --actor eva";
        CommandRun run = api.run(line.split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("sent");
    }
}
