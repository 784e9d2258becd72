package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ebb.cli.client.Json;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.port.StatusView.PoliciesView;
import dev.ebb.topology.Outcomes;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.instance.InstancesView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.FieldDifference;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that delete, and others that the application carries out. */
@Tag("O-16")
class RetentionCommandsTest {

    /** Begins the outcome of a sweep. */
    private static final String SWEPT =
            "\"outcome\":{\"kind\":\"swept\",\"parts\":{},\"sweepPoint\":\"2026-11-21T10:00:00.000Z\"";

    private static final String DONE = result("DONE", false, 12);
    private static final String PREVIEW = result("DONE", true, 12);

    @TempDir
    private Path folder;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delete orders/eu-1 --force --yes | DELETE | /v1/streams/orders%2Feu-1 | force=true | ",
                "delete .. -y | DELETE | /v1/streams/~%2E%2E | | ",
                "purge --stream a --stream b/c --namespace n --limit 7 --completed-before 1764300000s --yes | POST |"
                        + " /v1/purge | |"
                        + " {\"streams\":[\"a\",\"b/c\"],\"namespace\":\"n\",\"limit\":7,\"completedBefore\":1764300000000}",
                "purge --all --yes | POST | /v1/purge | | {\"all\":true}",
                "purge --completed-before 1970-01-02 --yes | POST | /v1/purge | | {\"completedBefore\":86400000}",
                "prune a --keep-last 3 --completed-before 1970-01-01T01:00:00+01:00 --yes | POST |"
                        + " /v1/streams/a/prune | | {\"keepLast\":3,\"completedBefore\":0}",
                "prune --bulk --stream a --keep-last 0 --stream-completed-before 20251128 --include-open --yes | POST |"
                        + " /v1/prune | | {\"keepLast\":0,\"streams\":[\"a\"],\"streamCompletedBefore\":1764288000000,"
                        + "\"includeOpen\":true}",
                "event delete a e/1 --force --yes | DELETE | /v1/streams/a/events/e%2F1 | force=true | ",
                "event set-ttl a 1 --ttl 90s | PUT | /v1/streams/a/events/1/ttl | | {\"ttlMs\":90000}",
                "event set-ttl a 1 --expires-at 2025-11-28 --yes | PUT | /v1/streams/a/events/1/ttl | |"
                        + " {\"expiresAt\":1764374399999}",
                "event set-ttl a 1 --expires-at 99999999999999ms | PUT | /v1/streams/a/events/1/ttl | |"
                        + " {\"expiresAt\":99999999999999}",
                "event set-ttl a 1 --infinite | PUT | /v1/streams/a/events/1/ttl | | {\"noExpiration\":true}",
                "event set-ttl a 1 --inherit --yes | PUT | /v1/streams/a/events/1/ttl | | {\"inherit\":true}",
                "sweep --yes | POST | /v1/sweeps | | {\"scope\":\"*\"}",
                "sweep --plan p-1 --yes | POST | /v1/sweeps | plan=p-1 | {\"scope\":\"*\"}",
                "purge --plan p-1 --yes | POST | /v1/purge | plan=p-1 | {}",
                "prune a --plan p-1 --yes | POST | /v1/streams/a/prune | plan=p-1 | {}",
                "prune --bulk --plan p-1 --yes | POST | /v1/prune | plan=p-1 | {}",
                "delete a --plan p-1 --yes | DELETE | /v1/streams/a | plan=p-1 | ",
                "sweep --stream a:b -y | POST | /v1/sweeps | | {\"scope\":\"stream:a:b\"}",
                "sweep --namespace n --dry-run --at 2025-11-28 | POST | /v1/sweeps | dryRun=true |"
                        + " {\"scope\":\"namespace:n\",\"at\":1764288000000}"
            })
    void shouldSendTheCommandThatWasTyped(String command, String method, String path, String parameter, String body) {
        // given
        api.otherwise(200, DONE);

        // when
        CommandRun run = api.run((command + " --actor anna --reason because").split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        FakeApi.Request sent = api.requests().get(0);
        Map<String, String> parameters = parameters(sent);
        assertThat(api.requests().stream().skip(1))
                .allMatch(asked -> asked.uri().equals("/v1/trash"));
        assertThat(sent.method()).isEqualTo(method);
        assertThat(URI.create(sent.uri()).getRawPath()).isEqualTo(path);
        assertThat(parameters).containsEntry("actor", "anna").containsEntry("reason", "because");
        assertThat(parameters.get("commandId")).hasSizeGreaterThan(30);
        assertThat(sent.body()).isEqualTo(body == null ? "" : body);
        if (parameter != null) {
            assertThat(sent.uri()).contains(parameter);
        }
        assertThat(parameters.containsKey("dryRun")).isEqualTo("dryRun=true".equals(parameter));
    }

    @Test
    void shouldCountBackFromNowForADuration() throws JsonProcessingException {
        // given
        api.otherwise(200, DONE);

        // when
        api.run("purge", "--completed-before", "7d", "--yes");

        // then
        JsonNode body = Json.parse(api.requests().get(0).body());
        assertThat(body.path("completedBefore").asLong())
                .isCloseTo(
                        System.currentTimeMillis() - Duration.ofDays(7).toMillis(),
                        within(Duration.ofMinutes(5).toMillis()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repair", "repair-stream", "retry-parked"})
    void shouldNotSpeakOfDeletesWhereNoneWereAskedFor(String verb) {
        // given
        api.otherwise(
                200,
                "{\"commandId\":\"c-1\",\"verb\":\"" + verb
                        + "\",\"state\":\"DONE\",\"outcome\":{\"kind\":\"retried\"}}");

        // when
        CommandRun run = api.run("delete", "a", "--yes");

        // then
        assertThat(run.out()).contains(verb, "done", "streams looked at").doesNotContain("deleted");
    }

    @Test
    @Tag("O-9")
    void shouldShowTheResultOfTheCommand() {
        // given
        api.otherwise(200, DONE);

        // when
        CommandRun table = api.run("delete", "a", "--yes");
        CommandRun json = api.run("delete", "a", "--yes", "-o", "json");
        CommandRun yaml = api.run("delete", "a", "--yes", "-o", "yaml");

        // then
        assertThat(table.out()).contains("delete", "done", "events deleted", "12", "streams skipped, HELD");
        assertThat(json.out()).contains("\"eventsDeleted\" : 12");
        assertThat(yaml.out()).contains("eventsDeleted: 12");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete a",
                "purge --all",
                "prune a --keep-last 1",
                "prune --bulk --all --keep-last 1",
                "event delete a 1",
                "sweep --namespace a",
                "event set-ttl a 1 --expires-at 2020-01-01"
            })
    void shouldNotDeleteUnaskedWithoutATerminal(String command) {
        // when
        CommandRun run = api.run(command.split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--yes", "--dry-run");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    @Tag("O-5")
    void shouldAskBeforeASweep() {
        // given
        api.otherwise(200, PREVIEW);

        // when
        CommandRun no = api.typed("n\n", "sweep", "--namespace", "a");
        int asked = api.requests().size();
        CommandRun yes = api.run("sweep", "--namespace", "a", "--yes");

        // then
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.err()).contains("Delete 12 events of namespace a? [y/N]");
        assertThat(asked).as("the dry run, and the sources").isEqualTo(2);
        assertThat(parameters(api.requests().get(0))).containsEntry("dryRun", "true");
        assertThat(yes.exitCode()).isZero();
        assertThat(parameters(api.requests().get(2))).doesNotContainKey("dryRun");
    }

    @Test
    @Tag("O-5")
    void shouldNotAskBeforeItDeletesNothing() {
        // given
        api.otherwise(200, PREVIEW.replaceAll("(streams|events)Deleted\":\\d+", "$1Deleted\":0"));

        // when
        CommandRun run = api.typed("y\n", "sweep");
        api.otherwise(
                200,
                "{\"verb\":\"sweep\",\"state\":\"DONE\",\"dryRun\":true," + SWEPT
                        + ",\"wouldDelete\":3,\"keptByWarn\":3}}");
        CommandRun warned = api.typed("y\n", "sweep");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err() + warned.err())
                .containsOnlyOnce("events kept by mode warn")
                .doesNotContain("Delete 0");
        assertThat(run.err()).contains("No event would go now. Continue anyway? [y/N]");
        assertThat(warned.err()).contains("No event would go now. Continue anyway? [y/N]");
    }

    @Test
    @Tag("O-5a")
    void shouldShowEventsThatModeWarnKeeps() {
        // given
        String found = "{\"verb\":\"sweep\",\"state\":\"DONE\",\"startedAt\":\"2026-11-21T09:59:59.750Z\","
                + "\"updatedAt\":\"2026-11-21T10:00:00.000Z\"," + SWEPT
                + ",\"wouldDelete\":1234,\"wouldDeleteBytes\":99,\"keptByWarn\":1234},\"dryRun\":";

        // when
        api.otherwise(200, found + "true}");
        CommandRun dry = api.run("sweep", "--dry-run");
        api.otherwise(200, found + "false}");
        CommandRun real = api.run("sweep", "--yes", "--verbose");

        // then
        assertThat(dry.out()).contains("events kept by mode warn", "1,234").doesNotContain("nothing would be deleted");
        assertThat(real.out()).contains("events kept by mode warn", "1,234", "took", "250 ms", "completed");
    }

    /** Events that a dry run would delete have a row of their own; the row of mode warn has the rest. */
    @Test
    @Tag("O-5a")
    void shouldShowNoEventOfADryRunTwice() {
        // given
        api.otherwise(
                200,
                "{\"verb\":\"sweep\",\"state\":\"DONE\",\"dryRun\":true," + SWEPT
                        + ",\"eventsDeleted\":0,\"wouldDelete\":3345,\"wouldDeleteBytes\":50,\"keptByWarn\":1234}}");

        // when
        CommandRun dry = api.run("sweep", "--dry-run");

        // then
        assertThat(dry.out())
                .containsPattern("events would go +2,111")
                .containsPattern("events kept by mode warn +1,234")
                .doesNotContain("bytes kept by mode warn", "deleted");
    }

    @Test
    void shouldShowComingDeletionsFirstAndAsk() {
        // given
        api.otherwise(200, PREVIEW);

        // when
        CommandRun run = api.typed("y\n", "delete", "a", "--max-deletes", "50", "--command-id", "c-7", "-o", "json");

        // then: the dry run has an id of its own, and its output does not disturb the result
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("events would go", "Delete 12 events of stream a? [y/N]");
        assertThat(run.out()).startsWith("{").doesNotContain("would go");
        assertThat(api.requests()).hasSize(3);
        assertThat(api.requests().get(1).uri()).isEqualTo("/v1/sources");
        Map<String, String> preview = parameters(api.requests().get(0));
        Map<String, String> real = parameters(api.requests().get(2));
        assertThat(preview).containsEntry("dryRun", "true").containsEntry("maxDeletes", "50");
        assertThat(preview.get("commandId")).isNotEqualTo("c-7");
        assertThat(real)
                .doesNotContainKey("dryRun")
                .containsEntry("maxDeletes", "50")
                .containsEntry("commandId", "c-7");
    }

    /** Rows and records beyond Ebb go with the events, so the question names them. */
    @ParameterizedTest
    @CsvSource({
        "shop/1, '{tombstones: same}', orders",
        "shop/1, '{tombstones: {topic: deletes}}', deletes",
        "shop/1, none, ",
        "shop/1, truncate, ",
        "other/1, '{tombstones: same}', "
    })
    @Tag("F-6")
    void shouldNameTheTopicsThatGetTombstones(String stream, String target, @Nullable String topic) throws IOException {
        // given
        api.otherwise(200, PREVIEW);
        String kind = target.equals("truncate") ? "as: log" : "as: table";
        JsonNode declaration = new YAMLMapper()
                .readTree("{name: s, topic: orders, " + kind + ", stream: 'shop/{key}', target: " + target + "}");
        ObjectNode sources = Json.object();
        sources.putArray("sources").addObject().put("name", "s").set("declaration", declaration);
        api.answer("GET /v1/sources", 200, sources.toString());

        // when
        CommandRun run = api.typed("n\n", "delete", stream);

        // then
        String all = run.out() + run.err();
        assertThat(all).contains("Delete 12 events of stream " + stream + "? [y/N]");
        if (topic == null) {
            assertThat(all).doesNotContain("tombstone");
        } else {
            assertThat(all).contains("Each deleted event of the source s gets a tombstone in the topic " + topic + ".");
        }
    }

    @Test
    @Tag("O-26")
    void shouldSayWhatAnErasureLacks() {
        assertThat(api.run("erase", "--where", "metadata.user=42", "--dry-run").err())
                .contains("--case is missing");
        assertThat(api.run("erase", "--case", "c", "--dry-run").err()).contains("erase takes --where");
    }

    /** Long words of one place make the lines of all others no longer. */
    @Test
    @Tag("T-11")
    void shouldShowPlacesInLinesThatFitOnAPage() {
        // given
        String word = "a place with words ";
        api.otherwise(
                200,
                "{\"erasures\":[{\"caseId\":\"c\",\"actor\":\"a\",\"reason\":\"r\",\"finishedAt\":"
                        + "\"2026-11-28T10:00:00Z\",\"fields\":[],\"namespace\":\"\",\"events\":1,\"bytes\":1,"
                        + "\"left\":{},\"detail\":\"\",\"places\":[{\"name\":\"" + word.repeat(5)
                        + "\",\"content\":\"" + word.repeat(5)
                        + "\",\"until\":\"2026-12-28T10:00:00Z\",\"setting\":\"" + word.repeat(9)
                        + "\",\"isClean\":false}]}]}");

        // then
        assertThat(api.run("erase", "status", "c").out().lines()).isNotEmpty().allSatisfy(line -> assertThat(line)
                .hasSizeLessThanOrEqualTo(120));
    }

    /** A person who has seen the number confirms it; --yes confirms nothing. */
    @Test
    @Tag("T-15")
    void shouldEraseNoMoreThanAPersonHasSeen() {
        // given
        String[] erase = {"erase", "--where", "metadata.user=42", "--case", "c", "--reason", "r", "-o", "json"};
        api.otherwise(200, PREVIEW);
        api.answer("GET /v1/erase?commandId=c-1", 200, "{\"erasures\":[]}");

        // when
        api.typed("y\n", erase);
        CommandRun unseen =
                api.run(Stream.concat(Stream.of(erase), Stream.of("--yes")).toArray(String[]::new));

        // then
        List<Map<String, String>> sent = api.requests().stream()
                .filter(request -> request.method().equals("POST"))
                .map(RetentionCommandsTest::parameters)
                .toList();
        assertThat(unseen.exitCode()).as(unseen.err()).isZero();
        assertThat(sent).hasSize(3);
        assertThat(sent.get(0)).containsEntry("dryRun", "true").doesNotContainKey("maxDeletes");
        assertThat(sent.get(1)).doesNotContainKey("dryRun").containsEntry("maxDeletes", "12");
        assertThat(sent.get(2)).doesNotContainKeys("dryRun", "maxDeletes");
    }

    @Test
    @Tag("T-15")
    void shouldNameTheWaysOutOfABrakedErasure() {
        // given
        api.otherwise(
                409,
                "{\"type\":\"urn:ebb:refusal:unconfirmed\",\"title\":\"The command was"
                        + " refused\",\"status\":409,\"detail\":\"it would delete 30 of 100 events\","
                        + "\"refusal\":\"UNCONFIRMED\"}");

        // when
        CommandRun run =
                api.run("erase", "--where", "metadata.user=42", "--case", "c", "--reason", "r", "--yes", "-o", "json");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("UNCONFIRMED", "30 of 100 events", "--dry-run", "--plan", "--max-deletes");
    }

    @Test
    void shouldAskBeforeATtlThatHasPassed() {
        // given
        api.otherwise(200, PREVIEW.replace(":12,", ":1,"));

        // when
        CommandRun refused = api.typed("n\n", "event", "set-ttl", "a", "1", "--expires-at", "2020-01-01");
        CommandRun confirmed = api.typed("y\n", "event", "set-ttl", "a", "1", "--expires-at", "2020-01-01");

        // then
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("events would go", "Delete 1 event of stream a? [y/N]", "nothing was done");
        assertThat(confirmed.exitCode()).as(confirmed.err()).isZero();
        assertThat(api.requests()).hasSize(5);
        assertThat(parameters(api.requests().get(2))).containsEntry("dryRun", "true");
        assertThat(parameters(api.requests().get(4))).doesNotContainKey("dryRun");
    }

    @Test
    void shouldAskBeforeItForgetsATtlThatKeepsTheEvent() {
        // given
        api.otherwise(200, PREVIEW.replace(":12,", ":1,"));

        // when
        CommandRun run = api.run("event", "set-ttl", "a", "1", "--inherit");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--yes", "--dry-run");
        assertThat(api.requests()).hasSize(1);
        assertThat(parameters(api.requests().get(0))).containsEntry("dryRun", "true");
    }

    @Test
    void shouldNotAskBeforeItForgetsATtlThatDoesNotKeepTheEvent() {
        // given
        api.otherwise(200, result("DONE", true, 0));

        // when
        CommandRun run = api.run("event", "set-ttl", "a", "1", "--inherit");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(api.requests()).hasSize(2);
        assertThat(parameters(api.requests().get(1))).doesNotContainKey("dryRun");
    }

    /** A change of a TTL deletes nothing, which nobody asked. */
    @Test
    @Tag("O-26")
    void shouldSayFirstWhenAnEventGoesByItsNewTtl() {
        // given
        api.otherwise(
                200,
                result("DONE", false, 0)
                        .replace("\"delete\"", "\"set-ttl\"")
                        .replace("\"detail\":\"\"", "\"detail\":\"its last moment is 2028-11-28T23:59:59.999Z\""));

        // when
        CommandRun run = api.run("event", "set-ttl", "a", "1", "--ttl", "90d");

        // then
        assertThat(run.out()).startsWith("The TTL is changed: its last moment is 2028-11-28T23:59:59.999Z.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n\n", "\n", "", "yesterday\n", "\u0000\n"})
    void shouldDeleteNothingWithoutAClearYes(String typed) {
        // given
        api.otherwise(200, PREVIEW);

        // when
        CommandRun run = api.typed(typed, "purge", "--all");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("nothing was done");
        assertThat(api.requests()).hasSize(2);
        assertThat(parameters(api.requests().get(0))).containsEntry("dryRun", "true");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-26")
    void shouldShowTechnicalLinesOnlyWhereTheyAreAskedFor(boolean isVerbose) {
        // given
        api.otherwise(200, PREVIEW);

        // when
        CommandRun run = isVerbose
                ? api.run("purge", "--all", "--dry-run", "--verbose")
                : api.run("purge", "--all", "--dry-run");

        // then
        assertThat(run.out()).startsWith("Would delete 12 events (100 B) and 1 stream.\n");
        assertThat(run.out().contains("asked for")).isEqualTo(isVerbose);
        assertThat(run.out().contains("state")).isEqualTo(isVerbose);
    }

    /** Copies in the archive and the trash may be all that is left of a person. */
    @Test
    @Tag("O-26")
    void shouldSayThatAnErasureFindsCopiesAlone() {
        // given
        api.otherwise(200, """
            {"commandId":"c-1","verb":"erase","state":"DONE","dryRun":true,
             "detail":"12 copies of events that had gone before would go as well",
             "outcome":{"kind":"deleted","eventsDeleted":0,"streamsDeleted":0,"executionsDeleted":0},
             "plan":{"planId":"c-1","madeBy":"eva","sweepPoint":"2026-11-30T14:26:07Z","expiresAt":"2026-12-01T14:26:24Z",
                     "events":12,"digest":"00","leftOut":{}}}\
            """);

        // when
        CommandRun run = api.typed("n\n", "erase", "--where", "metadata.user=7", "--case", "C", "--reason", "r");

        // then
        assertThat(run.out() + run.err())
                .contains("No stored event would go; 12 copies of events", "Delete the copies of 12 events? [y/N]");
    }

    @Test
    void shouldNotAskForDryRuns() {
        // given
        api.otherwise(200, PREVIEW);

        // when
        CommandRun run = api.run("purge", "--all", "--dry-run");

        // then
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Would delete 12 events").contains("events would go");
        assertThat(api.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "409, STREAM_OPEN, 5, add --force",
        "409, PARENT_OPEN, 5, add --force",
        "409, PROTECTED, 5, add --force",
        "409, PARENT_CYCLE, 5, --force overrides this",
        "409, HELD, 5, ebb hold release",
        "409, NO_FILTER, 5, add --all",
        "409, TOO_MANY, 5, raise --max-deletes",
        "404, NOT_FOUND, 1, covers it",
        "400, BAD_COMMAND, 2, covers it",
        "503, NOT_READY, 4, covers it"
    })
    void shouldNameTheReasonOfARefusalAndTheFix(int status, String refusal, int exitCode, String wayOut) {
        // given
        api.otherwise(status, "{\"detail\":\"LIT-1 covers it\",\"refusal\":\"" + refusal + "\"}");

        // when
        CommandRun run = api.run("delete", "a", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.err()).contains(refusal, "LIT-1 covers it", wayOut).doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldStayUntilALongOneIsDone() {
        // given
        api.otherwise(202, result("RUNNING", false, 3));
        api.answer("GET /v1/commands/c-1?wait=5", 200, DONE);

        // when
        CommandRun run = api.run("purge", "--all", "--yes", "--command-id", "c-1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("done");
        assertThat(api.requests()).extracting(FakeApi.Request::method).startsWith("POST", "GET");
    }

    @Test
    void shouldHearOfARefusalWhileItStays() {
        // given
        api.otherwise(202, result("RUNNING", false, 0));
        api.answer(
                "GET /v1/commands/c-1?wait=5",
                200,
                "{\"state\":\"REFUSED\",\"refusal\":\"TOO_MANY\",\"detail\":\"90 events\"}");

        // when
        CommandRun run = api.run("delete", "a", "--yes", "--command-id", "c-1", "--max-deletes", "5");

        // then
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("TOO_MANY", "90 events");
    }

    @Test
    void shouldTellHowToFindACommandAgainThatGoesOnWithoutIt() {
        // given
        api.otherwise(202, result("RUNNING", false, 0));
        api.answer("GET /v1/commands/c-1?wait=5", 503, "{\"detail\":\"not yet\"}");

        // when
        CommandRun run = api.run("delete", "a", "--yes", "--command-id", "c-1");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("not yet", "ebb command show c-1");
    }

    @Test
    void shouldShowCommandThatWasSent() {
        // given
        api.answer(
                "GET /v1/commands/c%2F1",
                200,
                "{\"commandId\":\"c/1\",\"verb\":\"sweep\",\"state\":\"REFUSED\",\"refusal\":\"HELD\",\"detail\":\"x\"}");

        // when
        CommandRun run = api.run("command", "show", "c/1");

        // then
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("c/1", "refused, HELD");
        assertThat(api.run("command", "show", "nobody").exitCode()).isEqualTo(1);
    }

    @Test
    @Tag("O-5")
    void shouldShowTheFindingsOfASweepByStreamAndCause() {
        // given
        api.otherwise(
                200,
                "{\"commandId\":\"c\",\"verb\":\"sweep\",\"state\":\"DONE\",\"dryRun\":true,"
                        + SWEPT.replace(
                                "{}",
                                "{\"biggest\":[{\"stream\":\"a\",\"cause\":\"TTL\",\"events\":1234,"
                                        + "\"bytes\":2048}]}")
                        + "}}");

        // when
        CommandRun run = api.run("sweep", "--dry-run");

        // then
        assertThat(run.out()).contains("2026-11-21T10:00:00.000Z", "CAUSE", "TTL", "1,234", "2.0 KiB");
    }

    @Test
    @Tag("O-5")
    @Tag("O-14")
    void shouldSayPlainlyThatNothingWouldGo() throws IOException {
        // given
        String found = "{\"verb\":\"sweep\",\"state\":\"DONE\",\"dryRun\":true," + SWEPT + ",\"eventsDeleted\":";
        Path file = Files.writeString(folder.resolve("policies.yaml"), "policies: []\n");

        // when
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));
        api.answer("GET /v1/instances", instances(new BrakeView(20, 100, 604_800_000)))
                .otherwise(200, found + "0}}");
        CommandRun sweep = api.run("sweep", "--dry-run");
        CommandRun plan = api.run("policy", "plan", "-f", file.toString());
        api.otherwise(200, found + "1}}");
        CommandRun some = api.run("sweep", "--dry-run");

        // then
        assertThat(sweep.out()).startsWith("Nothing would be deleted.\n").doesNotContain("looked at");
        assertThat(plan.out()).startsWith("Nothing would be deleted.\n");
        assertThat(some.out()).startsWith("Would delete 1 event (0 B).\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sweep --at 5 | --dry-run",
                "sweep --plan p-1 --dry-run | leave out one",
                "purge --plan p-1 | --yes",
                "policy apply --plan /no/such/plan.json | does not exist",
                "sweep --stream a --namespace b --dry-run | mutually exclusive",
                "sweep --namespace a/b | stream:a/b",
                "sweep --dry-run --at yesterday | not a time",
                "prune --yes | name a stream",
                "prune a --yes | --keep-last",
                "prune a --dry-run | --completed-before",
                "prune --bulk --all --yes | --keep-last",
                "prune --bulk --keep-last 1 --yes | --all",
                "prune --bulk --keep-last 1 --completed-before 7d | --stream-completed-before",
                "purge | --all",
                "purge --yes | --all",
                "purge --limit 5 --dry-run | --all",
                "prune a --bulk --keep-last 1 --yes | --stream",
                "prune a --namespace n --yes | --bulk",
                "prune a --include-open --yes | --bulk",
                "prune a --keep-last many | --keep-last",
                "purge --completed-before never --yes | not a time",
                "purge --completed-before 1764300000 --yes | has no unit",
                "sweep --dry-run --at 1h | was the duration '1h'",
                "event set-ttl a 1 --expires-at 1h | was the duration '1h'",
                "purge --completed-before -5d --yes | not a positive duration",
                "purge --completed-before 99999d --yes | 1970",
                "purge --completed-before 2026-02-30 --yes | not a date",
                "purge --limit x | --limit",
                "event set-ttl a 1 | --ttl",
                "event set-ttl a 1 --ttl 1d --inherit | mutually exclusive",
                "event set-ttl a 1 --ttl 0s | positive",
                "event set-ttl a 1 --ttl soon | duration",
                "event delete a | ID",
                "delete | STREAM",
                "delete a b | b"
            })
    void shouldExplainSenselessOptions(String command, String said) {
        // when
        CommandRun run = api.run(command.split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(said).doesNotContain("\tat ");
        assertThat(api.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\u0000b"})
    void shouldRefuseNamesThatNoStreamCanHave(String name) {
        for (List<String> command : List.of(
                List.of("delete", name, "--yes"),
                List.of("prune", name, "--keep-last", "1", "--yes"),
                List.of("purge", "--stream", name, "--yes"),
                List.of("event", "delete", "a", name, "--yes"),
                List.of("command", "show", name))) {
            assertThat(api.run(command.toArray(String[]::new)).exitCode())
                    .as(command.toString())
                    .isEqualTo(2);
        }
        assertThat(api.requests()).isEmpty();
    }

    private static Map<String, String> parameters(FakeApi.Request request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : URI.create(request.uri()).getRawQuery().split("&")) {
            int equals = parameter.indexOf('=');
            parameters.put(
                    parameter.substring(0, equals),
                    URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static String result(String state, boolean isDryRun, int events) {
        return "{\"commandId\":\"c-1\",\"verb\":\"delete\",\"state\":\"" + state
                + "\",\"refusal\":null,\"detail\":\"\","
                + "\"dryRun\":" + isDryRun
                + ",\"outcome\":{\"kind\":\"deleted\",\"streamsProcessed\":3,\"streamsDeleted\":1,"
                + "\"eventsDeleted\":" + events + ",\"bytesDeleted\":100,\"streamsSkipped\":{\"HELD\":2}}}";
    }

    @Test
    @Tag("O-14")
    void shouldShowAPlanByNamespaceFirstWithItsShareAndTheLimitOfTheBrake() throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(20, 100, 604_800_000)));
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));
        api.otherwise(200, plan());
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // when
        CommandRun run = api.run("policy", "plan", "-f", file.toString());

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("(?s)NAMESPACE +EVENTS.*orders +1,100 .* 2,000 +55.0 %.*default +100 .* 8,000 +1.3 %"
                        + ".*in smaller parts +34.*all +1,234 .* 10,000 +12.3 %.*STREAM +CAUSE")
                .contains("more than 20 % of the stored events of its scope or of a namespace within 7d, and more than"
                        + " 100 events.");
    }

    @Test
    @Tag("O-14")
    void shouldSayWhereThereIsNoLimit() throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(100, 0, 0)));
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));
        api.otherwise(200, plan());
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // then
        assertThat(api.run("policy", "plan", "-f", file.toString()).out()).contains("The brake is off");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "the brake would hold it back until it is confirmed: it would delete 90 of 100 events within 7d | 5"
                        + " | would be held back until an admin confirms it.",
                "the brake would let it through: it would delete 9 of 100 events within 7d | 0"
                        + " | would come into force at once.",
                "'' | 0 | would come into force at once."
            })
    @Tag("O-27")
    void shouldEndAPlanWithChangesEffectAndVerdict(String brake, int exitCode, String verdict) throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(20, 100, 604_800_000)));
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(
                        false,
                        List.of(
                                new Difference(
                                        "namespace:n",
                                        PolicyFileComparisonView.Kind.CHANGED,
                                        List.of(new FieldDifference(
                                                "maxAge", TextNode.valueOf("90d"), TextNode.valueOf("30d")))),
                                new Difference(
                                        "namespace:m",
                                        PolicyFileComparisonView.Kind.ADDED,
                                        List.of(
                                                new FieldDifference("mirror", null, TextNode.valueOf("none")),
                                                new FieldDifference("scope", null, TextNode.valueOf("namespace:m")))),
                                new Difference("namespace:old", PolicyFileComparisonView.Kind.MISSING, List.of())),
                        List.of()));
        api.otherwise(200, swept(brake, 9, 7));
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // when
        CommandRun run = api.run("policy", "plan", "-f", file.toString());
        List<String> lines = run.out().lines().toList();

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(lines.subList(lines.size() - 3, lines.size()))
                .containsExactly(
                        "Changes: namespace:n: maxAge 90d → 30d; namespace:m (new): mirror none. Not in the file, and"
                                + " kept: namespace:old.",
                        "Effect: 9 events would go at the next sweep, counting those that are due anyway"
                                + (brake.isEmpty()
                                        ? ", and the change makes nothing more due within 7d."
                                        : "; " + brake + "."),
                        "Verdict: " + verdict);
    }

    /** Some fields of a source have fields of their own. */
    @Test
    @Tag("F-1")
    void shouldShowTheFieldsOfASourceInAPlanAndADifference() throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(20, 100, 604_800_000)));
        FieldDifference target = new FieldDifference(
                "target", null, JsonNodeFactory.instance.objectNode().put("tombstones", "same"));
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(
                        false,
                        List.of(new Difference("source:o", PolicyFileComparisonView.Kind.ADDED, List.of(target))),
                        List.of()));
        api.otherwise(200, swept("", 9, 7));
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // then
        assertThat(api.run("policy", "plan", "-f", file.toString()).out())
                .contains("Changes: source:o (new): target {\"tombstones\":\"same\"}.");
        assertThat(api.run("policy", "diff", "-f", file.toString()).out()).contains("{\"tombstones\":\"same\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "20 | true | 9 events would go at the next sweep, counting those that are due anyway, and the change"
                        + " makes nothing more due within 7d.",
                "20 | false | 9 events would go at the next sweep, with the file or without it.",
                "100 | true | 9 events would go at the next sweep, counting those that are due anyway; the brake is"
                        + " off, so nothing was counted ahead.",
                "100 | false | 9 events would go at the next sweep, with the file or without it."
            })
    @Tag("O-27")
    void shouldClaimNothingThatTheBrakeDidNotCount(int sharePercent, boolean isChange, String effect)
            throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(sharePercent, 100, 604_800_000)));
        Difference change = new Difference(
                "namespace:n",
                PolicyFileComparisonView.Kind.CHANGED,
                List.of(new FieldDifference("maxAge", TextNode.valueOf("90d"), TextNode.valueOf("30d"))));
        api.answer(
                "POST /v1/policies/diff",
                new PolicyFileComparisonView(!isChange, isChange ? List.of(change) : List.of(), List.of()));
        api.otherwise(200, swept("", 9, 7));
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // then
        assertThat(api.run("policy", "plan", "-f", file.toString()).out()).contains("Effect: " + effect + "\n");
    }

    @Test
    void shouldSayThatAnAnswerIsNoPlan() throws IOException {
        // given
        api.otherwise(
                200, "{\"verb\":\"purge\",\"state\":\"DONE\",\"dryRun\":true,\"eventsDeleted\":9,\"detail\":\"\"}");
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // when
        CommandRun run = api.run("policy", "plan", "-f", file.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("the answer is no plan; the application has another version");
    }

    @Test
    void shouldShowAVersionWithoutSeparators() {
        // given
        api.answer("GET /v1/commands/c-1", swept("", 12_345, 12_345));

        // then
        assertThat(api.run("command", "show", "c-1").out())
                .containsPattern("events .*12,345")
                .containsPattern("policy version +12345");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, true"})
    @Tag("F-13")
    void shouldPlanHowManyRowsGo(long rows, boolean isSaid) throws IOException {
        // given
        api.answer("GET /v1/instances", instances(new BrakeView(20, 100, 604_800_000)));
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));
        Outcome.Swept swept = new Outcome.Swept(
                Outcomes.deleted(0, 0, 0, 0, 0, 0, Map.of()), Outcome.Parts.NONE, Instant.ofEpochMilli(5), 7);
        api.otherwise(
                200,
                CommandResultView.of(new CommandResult(
                        "c-1", "sweep", CommandResult.State.DONE, null, "", true, swept.losingRows(rows), 100, "")));
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []");

        // when
        String out = api.run("policy", "plan", "-f", file.toString()).out();

        // then
        assertThat(out.contains(rows + (rows == 1 ? " row" : " rows") + " would go from SQL, and the events stay."))
                .as(out)
                .isEqualTo(isSaid);
    }

    private static InstancesView instances(BrakeView brake) {
        FakeStatus one = new FakeStatus("one").store("orders", 1500).store("default", 8000);
        one.policies = new PoliciesView(1, 1, null, List.of(), brake, List.of());
        return FakeStatus.all(one, new FakeStatus("two").store("orders", 500));
    }

    /** A dry run of a sweep that would delete some events. */
    private static CommandResultView swept(String detail, long events, long policyVersion) {
        Outcome.Swept swept = new Outcome.Swept(
                Outcomes.deleted(1, 0, 0, events, 0, 100, Map.of()),
                Outcome.Parts.NONE,
                Instant.ofEpochMilli(5),
                policyVersion);
        return CommandResultView.of(new CommandResult(
                "c-1",
                "sweep",
                CommandResult.State.DONE,
                null,
                detail,
                true,
                detail.startsWith("the brake would hold") ? swept.heldBackByBrake() : swept,
                100,
                ""));
    }

    private static CommandResultView plan() {
        return CommandResultView.of(new CommandResult(
                "c",
                "sweep",
                CommandResult.State.DONE,
                null,
                "",
                true,
                new Outcome.Swept(
                        Outcomes.deleted(3, 0, 0, 1234, 0, 5000, Map.of()),
                        new Outcome.Parts(
                                List.of(
                                        new Part("orders/1", RemovalCause.MAX_AGE, 1000, 4000),
                                        new Part("orders/2", RemovalCause.TTL, 100, 500),
                                        new Part("plain", RemovalCause.TTL, 100, 400)),
                                7,
                                List.of()),
                        Instant.ofEpochMilli(7),
                        7),
                100,
                ""));
    }
}
