package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.FakeApi.Request;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The removal of a source together with its events. */
@Tag("F-10")
class SourceRemovalTest {

    private static final String SOURCE =
            "{\"name\":\"orders\",\"reading\":{\"state\":\"%s\"},\"declaration\":{\"name\":\"orders\","
                    + "\"topic\":\"shop.orders\",\"as\":\"table\",\"stream\":\"orders/{key}\",\"paused\":%s%s}}";
    private static final String SAME = ",\"target\":{\"tombstones\":\"same\"}";
    private static final Changed REMOVED =
            new Changed(true, 8, List.of(), List.of("source:orders"), List.of(), List.of(), List.of());

    @RegisterExtension
    final FakeApi api = new FakeApi();

    /** It is paused first, so that no event comes afterwards, and removed when its events are gone. */
    @Test
    void shouldDeleteNoMoreThanAPersonHasSeenBeforeTheSourceGoes() {
        // given
        source("reading", false, SAME);
        api.answer("POST /v1/sources/orders/pause*", REMOVED);
        api.answer("POST /v1/sources/orders/empty*", 200, result(12));
        api.answer("DELETE /v1/sources/orders*", REMOVED);
        source("paused", false, SAME);

        // when
        CommandRun run = api.typed("y\n", "source", "remove", "orders", "--delete", "--reason", "r");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out() + run.err())
                .contains("12", "The topic shop.orders keeps its records", "Delete them, and remove the source orders?")
                .containsPattern("removed +source:orders");
        assertThat(sent()).hasSize(4);
        assertThat(sent().get(0)).contains("empty", "dryRun=true").doesNotContain("maxDeletes");
        assertThat(sent().get(1)).contains("pause").contains("reason=r");
        assertThat(sent().get(2)).contains("empty", "maxDeletes=12").doesNotContain("dryRun");
        assertThat(sent().get(3)).startsWith("DELETE");
        assertThat(api.requests()).noneMatch(request -> request.body().contains("tombstones"));
    }

    @Test
    void shouldSayHowManyEventsStay() {
        // given
        api.answer("POST /v1/sources/orders/empty*", 200, result(12));
        api.answer("DELETE /v1/sources/orders*", REMOVED);

        // when
        CommandRun run = api.run("source", "remove", "orders", "--keep", "--reason", "r", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out() + run.err())
                .contains(
                        "12 events of the source orders stay in Ebb",
                        "Unless a policy",
                        "sweeps delete those that are due");
        assertThat(sent()).hasSize(2);
        assertThat(sent().get(0)).contains("empty", "dryRun=true");
        assertThat(sent().get(1)).startsWith("DELETE");
    }

    @ParameterizedTest
    @CsvSource({"reference, 'No undo brings them back'", "payload, 'An undo brings them back in Ebb'"})
    void shouldSayWhatADeleteOfTheRowsMeans(String keep, String words) {
        // given
        source("paused", true, SAME + ",\"keep\":\"" + keep + "\"");
        api.answer("POST /v1/sources/orders/empty*", 200, result(12));

        // when
        CommandRun run = api.typed("n\n", "source", "remove", "orders", "--delete-target", "--reason", "r");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out() + run.err())
                .contains("Each of these events gets a tombstone in the topic shop.orders.", words);
        assertThat(sent()).singleElement().asString().contains("dryRun=true");
        assertThat(api.requests()).anyMatch(request -> request.body().contains("\"tombstones\":true"));
    }

    @Test
    void shouldLeaveASourcePausedWhoseEventsMustNotGo() {
        // given
        source("paused", true, "");
        api.answer(
                "POST /v1/sources/orders/empty*",
                409,
                "{\"status\":409,\"detail\":\"it would delete 30 of 100 events\",\"refusal\":\"UNCONFIRMED\"}");

        // when
        CommandRun run = api.run("source", "remove", "orders", "--delete", "--reason", "r", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("30 of 100 events", "ebb source resume orders");
        assertThat(sent()).noneMatch(request -> request.startsWith("DELETE"));
    }

    @ParameterizedTest
    @CsvSource({
        "'--reason r --yes', '--keep'",
        "'--keep --delete --reason r --yes', 'mutually exclusive'",
        "'--keep --force --reason r --yes', 'are for the deletion of events'",
        "'--delete --yes', '--reason is missing'",
        "'--delete --reason r', 'add --yes'",
        "'--delete --plan p --dry-run', 'leave out one of the two'",
        "'--delete-target --reason r --yes', 'has no target that takes tombstones'"
    })
    void shouldSayWhatARemovalLacks(String line, String words) {
        source("reading", false, "");

        CommandRun run = api.run(("source remove orders " + line).split(" "));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(words);
        assertThat(sent()).isEmpty();
    }

    private void source(String state, boolean isPaused, String more) {
        api.answer("GET /v1/sources/orders", 200, SOURCE.formatted(state, isPaused, more));
    }

    private List<String> sent() {
        return api.requests().stream()
                .filter(request -> !request.method().equals("GET"))
                .map(SourceRemovalTest::line)
                .toList();
    }

    private static String line(Request request) {
        return request.method() + " " + request.uri();
    }

    private static String result(int events) {
        return "{\"commandId\":\"c-1\",\"verb\":\"empty-source\",\"state\":\"DONE\",\"refusal\":null,\"detail\":\"\","
                + "\"dryRun\":false,\"outcome\":{\"kind\":\"deleted\",\"streamsProcessed\":3,\"streamsDeleted\":0,"
                + "\"eventsDeleted\":" + events + ",\"bytesDeleted\":100,\"streamsSkipped\":{\"HELD\":2}}}";
    }
}
