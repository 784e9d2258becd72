package dev.ebb.api.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.api.ApiClient;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeApi;
import dev.ebb.api.FakeDesk;
import dev.ebb.api.FakePorts;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.topology.Outcomes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-17")
class CommandResourceTest {

    private static final String JSON = "application/json";
    private static final StreamName STREAM = new StreamName("orders/eu-1");

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;
    private final FakeDesk desk = ports.commands;

    static Stream<Arguments> commands() {
        PruneCondition condition = new PruneCondition(2L, 1_764_300_000_000L);
        return Stream.of(
                Arguments.of("DELETE", "/v1/streams/orders%2Feu-1?force", "", new Command.DeleteStream(STREAM, true)),
                Arguments.of("DELETE", "/v1/streams/orders%2Feu-1", "", new Command.DeleteStream(STREAM, false)),
                Arguments.of(
                        "POST",
                        "/v1/purge",
                        "{\"streams\":[\"a\",\"b\"],\"completedBefore\":\"2026-01-01T00:00:01Z\","
                                + "\"namespace\":\"default\",\"limit\":7,\"all\":false}",
                        new Command.PurgeStreams(new StreamFilter(
                                List.of(new StreamName("a"), new StreamName("b")),
                                1_767_225_601_000L,
                                "default",
                                7,
                                false))),
                Arguments.of(
                        "POST",
                        "/v1/purge",
                        "{\"streams\":[]}",
                        new Command.PurgeStreams(new StreamFilter(List.of(), null, null, 1000, false))),
                Arguments.of(
                        "POST",
                        "/v1/purge",
                        "",
                        new Command.PurgeStreams(new StreamFilter(null, null, null, 1000, false))),
                Arguments.of(
                        "POST",
                        "/v1/streams/orders%2Feu-1/prune",
                        "{\"keepLast\":2,\"completedBefore\":1764300000000}",
                        new Command.PruneStream(STREAM, condition)),
                Arguments.of(
                        "POST",
                        "/v1/prune",
                        "{\"keepLast\":2,\"completedBefore\":\"1764300000s\",\"streamCompletedBefore\":1764300000009,\"includeOpen\":true,"
                                + "\"all\":true}",
                        new Command.PruneStreams(
                                new StreamFilter(null, 1_764_300_000_009L, null, 1000, true), condition, true)),
                Arguments.of(
                        "PUT",
                        "/v1/streams/orders%2Feu-1/events/e%2F1/ttl",
                        "{\"ttl\":\"30d\"}",
                        new Command.SetTtl(STREAM, new EventId("e/1"), OwnTtl.NONE, 30 * 86_400_000L)),
                Arguments.of(
                        "PUT",
                        "/v1/streams/orders%2Feu-1/events/1/ttl",
                        "{\"noExpiration\":true}",
                        new Command.SetTtl(STREAM, new EventId("1"), OwnTtl.INFINITE, null)),
                Arguments.of(
                        "PUT",
                        "/v1/streams/orders%2Feu-1/events/1/ttl",
                        "{\"inherit\":true,\"ttl\":null}",
                        new Command.SetTtl(STREAM, new EventId("1"), OwnTtl.NONE, null)),
                Arguments.of(
                        "DELETE",
                        "/v1/streams/orders%2Feu-1/events/1?force=true",
                        "",
                        new Command.DeleteEvent(STREAM, new EventId("1"), true)),
                Arguments.of("POST", "/v1/sweeps", "", new Command.SweepNow(Scope.ALL, null)),
                Arguments.of(
                        "POST",
                        "/v1/sweeps?dryRun",
                        "{\"scope\":\"namespace:orders\",\"at\":\"2026-01-01T00:00:02Z\"}",
                        new Command.SweepNow(Scope.namespace("orders"), 1_767_225_602_000L)));
    }

    @Test
    @Tag("O-14")
    void shouldNameEveryFaultOfAPlannedFileByItself() {
        // when
        Answer answer = client.send(
                "POST",
                "/v1/sweeps?dryRun",
                JSON,
                "{\"policies\":\"policies:\\n - scope: '*'\\n   maxCount: 0\\n   keepLast: x\\n\"}");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems"))
                .extracting(problem -> problem.path("message").asText())
                .containsExactly(
                        "line 3, policies[0] (*): maxCount: must be positive, was 0",
                        "line 4, policies[0] (*): keepLast: must be a whole number or 'none', was 'x'");
        assertThat(desk.submitted).isEmpty();
    }

    @Test
    @Tag("O-7")
    void shouldTakeDurationsByTheTimeOfTheApplicationAndNotByThatOfTheMachine() {
        // given
        long nowMs = 1_764_300_000_000L;
        ports.time = () -> Instant.ofEpochMilli(nowMs);

        // when
        client.send("POST", "/v1/purge", JSON, "{\"completedBefore\":\"1h\"}");

        // then
        assertThat(desk.submitted)
                .extracting(CommandRequest::command)
                .containsExactly(
                        new Command.PurgeStreams(new StreamFilter(null, nowMs - 3_600_000, null, 1000, false)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldSendCommandAndAnswerItsResult(String method, String path, String body, Command command) {
        // when
        Answer answer = client.send(method, path, body.isEmpty() ? null : JSON, body);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        CommandRequest sent = desk.submitted.get(0);
        assertThat(sent.command()).isEqualTo(command);
        assertThat(sent.actor()).isEqualTo("api");
        assertThat(answer.json().path("commandId").asText()).isEqualTo(sent.commandId());
        assertThat(answer.json().path("verb").asText()).isEqualTo(command.verb());
        assertThat(answer.json().path("state").asText()).isEqualTo("DONE");
    }

    /** Both ways to say that there is no room: before the command is sent, and by its partition. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("O-11")
    void shouldTellACallerToWaitWhenTooManyCommandsAreUnfinished(boolean isSent) {
        // given
        if (isSent) {
            desk.state = State.REFUSED;
            desk.refusal = Refusal.BUSY;
        } else {
            desk.failure = new TooManyCommandsException("'anna' already has 32 unfinished commands");
        }

        // when
        Answer answer = client.send("POST", "/v1/sweeps", null, "");

        // then
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    @Tag("O-9")
    void shouldAnswerExactCounts() {
        // given
        desk.counts = Outcomes.deleted(9, 4, 3, 20, 2, 4000, Map.of(Refusal.STREAM_OPEN, 3L, Refusal.HELD, 2L));

        // when
        Answer answer = client.send("POST", "/v1/purge", JSON, "{\"all\":true}");

        // then
        assertThat(answer.response().body())
                .contains(
                        "\"streamsProcessed\":9,\"streamsDeleted\":4,\"executionsDeleted\":3,\"eventsDeleted\":20,"
                                + "\"protectedEventsDeleted\":2,\"bytesDeleted\":4000,"
                                + "\"streamsSkipped\":{\"STREAM_OPEN\":3,\"HELD\":2}",
                        "\"startedAt\":\"1970-01-01T00:00:01.000Z\",\"updatedAt\":\"1970-01-01T00:00:02.000Z\"");
    }

    @Test
    void shouldHandOnTheCommonFieldsFromParametersAndBodiesAlike() {
        // when
        client.send(
                "DELETE",
                "/v1/streams/a?dryRun&reason=why%20not&actor=anna&maxDeletes=5&commandId=c-1&wait=0",
                null,
                "");
        client.send(
                "POST",
                "/v1/purge",
                JSON,
                "{\"dryRun\":true,\"reason\":\"why not\",\"actor\":\"anna\",\"maxDeletes\":5,\"commandId\":\"c-2\"}");

        // then
        assertThat(desk.submitted)
                .extracting(CommandRequest::commandId, CommandRequest::reason, CommandRequest::actor)
                .containsExactly(tuple("c-1", "why not", "anna"), tuple("c-2", "why not", "anna"));
        assertThat(desk.submitted)
                .allSatisfy(request -> assertThat(request.isDryRun()).isTrue());
        assertThat(desk.submitted)
                .allSatisfy(request -> assertThat(request.maxDeletes()).isEqualTo(5));
        assertThat(desk.waits).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void shouldTakeIdempotencyKeyForTheId() {
        // when
        Answer answer = client.sendWith("POST", "/v1/sweeps", Map.of("Idempotency-Key", "k 1"), "");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(desk.submitted.get(0).commandId()).isEqualTo("k 1");
    }

    @Test
    void shouldAnswerWhereToAskForACommandThatRuns() {
        // given
        desk.state = State.RUNNING;

        // when
        Answer answer = client.send("POST", "/v1/purge?wait=0&commandId=a%2Fb", JSON, "{\"all\":true}");
        Answer later = client.get("/v1/commands/a%2Fb");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.response().headers().firstValue("Location")).contains("/v1/commands/a%2Fb");
        assertThat(later.status()).isEqualTo(200);
        assertThat(later.json()).isEqualTo(answer.json());
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, 404",
        "BAD_COMMAND, 400",
        "NOT_READY, 503",
        "STREAM_OPEN, 409",
        "PROTECTED, 409",
        "PARENT_OPEN, 409",
        "PARENT_CYCLE, 409",
        "HELD, 409",
        "NO_FILTER, 409",
        "TOO_MANY, 409",
        "TTL_OUT_OF_BOUNDS, 409"
    })
    void shouldAnswerRefusalsAsProblems(Refusal refusal, int status) {
        // given
        desk.state = State.REFUSED;
        desk.refusal = refusal;
        desk.detail = "because of LIT-1";

        // when
        Answer answer = client.send("DELETE", "/v1/streams/a?commandId=c-1", null, "");

        // then
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        assertThat(answer.json().path("refusal").asText()).isEqualTo(refusal.name());
        assertThat(answer.json().path("detail").asText()).isEqualTo("because of LIT-1");
        assertThat(answer.json().at("/result/commandId").asText()).isEqualTo("c-1");
        assertThat(answer.response().headers().firstValue("Retry-After").isPresent())
                .isEqualTo(refusal == Refusal.NOT_READY);
        assertThat(client.get("/v1/commands/c-1").status()).isEqualTo(200);
    }

    @Test
    void shouldNotTakeTheResultOfADryRunForThatOfTheCommand() {
        // given
        client.send("DELETE", "/v1/streams/a?commandId=c-1&dryRun", null, "");

        // when
        Answer real = client.send("DELETE", "/v1/streams/a?commandId=c-1", null, "");
        Answer other = client.send("POST", "/v1/purge?commandId=c-1&dryRun", null, "");
        Answer again = client.send("DELETE", "/v1/streams/a?commandId=c-1&dryRun", null, "");

        // then
        assertThat(real.status()).isEqualTo(409);
        assertThat(real.json().path("detail").asText()).contains("c-1", "a dry run of another delete");
        assertThat(other.status()).isEqualTo(409);
        assertThat(again.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/streams/b?", "/v1/streams/a?force&", "/v1/streams/a?maxDeletes=1&"})
    @Tag("O-11")
    void shouldNotTakeTheResultOfAnotherCommandUnderTheSameId(String path) {
        // given
        client.send("DELETE", "/v1/streams/a?commandId=c-1&actor=ann&reason=one", null, "");
        int sent = desk.submitted.size();

        // when
        Answer other = client.send("DELETE", path + "commandId=c-1", null, "");
        Answer again = client.send("DELETE", "/v1/streams/a?commandId=c-1&actor=bob&reason=two", null, "");

        // then
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.json().path("detail").asText()).contains("c-1", "another delete", "use another one");
        assertThat(again.status()).isEqualTo(200);
        assertThat(desk.submitted).hasSize(sent + 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE | /v1/streams/a?limit=5 | '' | limit",
                "DELETE | /v1/streams/a?force=perhaps | '' | force",
                "DELETE | /v1/streams/a?maxDeletes=-1 | '' | maxDeletes",
                "DELETE | /v1/streams/a?maxDeletes=many | '' | maxDeletes",
                "DELETE | /v1/streams/%20 | '' | blank",
                "DELETE | /v1/streams/a?commandId= | '' | commandId",
                "DELETE | /v1/streams/a?wait=61 | '' | wait",
                "DELETE | /v1/streams/a?wait=soon | '' | wait",
                "POST | /v1/purge | {\"limit\":0} | limit",
                "POST | /v1/purge | {\"limit\":1.5} | limit",
                "POST | /v1/purge | {\"limit\":99999999999999999999} | limit",
                "POST | /v1/purge | {\"force\":true} | force",
                "POST | /v1/purge | {\"streams\":\"a\"} | streams",
                "POST | /v1/purge | {\"streams\":[\"\"]} | streams",
                "POST | /v1/purge | {\"streams\":[1]} | streams",
                "POST | /v1/purge | {\"namespace\":\"a/b\"} | namespace",
                "POST | /v1/purge | {\"completedBefor\":5} | completedBefor",
                "POST | /v1/purge | {\"completedBefore\":\"yesterday\"} | completedBefore",
                "POST | /v1/purge | {\"completedBefore\":-1} | completedBefore",
                "POST | /v1/purge | {\"completedBefore\":1764300000} | seconds?",
                "POST | /v1/purge | {\"completedBefore\":\"1764300000\"} | has no unit",
                "POST | /v1/purge | {\"verb\":\"sweep\"} | verb",
                "POST | /v1/purge | [] | object",
                "POST | /v1/purge | nonsense | object",
                "POST | /v1/streams/a/prune | {\"keepLast\":-1} | keepLast",
                "POST | /v1/streams/a/prune | {\"stream\":\"b\"} | stream",
                "POST | /v1/streams/a/prune | {} | without a condition",
                "POST | /v1/streams/a/prune | {\"keepLast\":null} | completedBefore",
                "POST | /v1/prune | {\"all\":true} | without a condition",
                "POST | /v1/streams/a/prune | {\"namespace\":\"b\"} | namespace",
                "PUT | /v1/streams/a/events/1/ttl | {} | ttlMs",
                "PUT | /v1/streams/a/events/1/ttl | {\"ttl\":\"0s\"} | ttlMs",
                "PUT | /v1/streams/a/events/1/ttl | {\"ttl\":\"long\"} | ttl",
                "PUT | /v1/streams/a/events/1/ttl | {\"ttl\":\"1d\",\"noExpiration\":true} | noExpiration",
                "POST | /v1/sweeps | {\"scope\":\"pattern:cache\"} | scope",
                "POST | /v1/sweeps | {\"scope\":\"everything\"} | scope",
                "POST | /v1/sweeps | {\"at\":5} | at"
            })
    void shouldNameTheFaultAndSendNothing(String method, String path, String body, String named) {
        // when
        Answer answer = client.send(method, path, body.isEmpty() ? null : JSON, body);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.response().body()).contains(named);
        assertThat(desk.submitted).isEmpty();
    }

    @Test
    @Tag("O-17")
    void shouldNotCallACommandUnknownWhilePartitionsRestore() {
        // given
        ports.isUp = false;

        // when
        Answer answer = client.get("/v1/commands/sent-before-the-restart");

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.json().path("detail").asText()).contains("partition 1 restores");
    }

    @Test
    void shouldSayThatNothingIsKnownOfACommand() {
        assertThat(client.get("/v1/commands/nobody").status()).isEqualTo(404);
    }

    @Test
    void shouldSayThatResultsAreNotReadyYet() {
        // given
        desk.failure = new NotReadyException("the results of commands are not read yet", Duration.ofSeconds(1));

        // when
        Answer answer = client.send("DELETE", "/v1/streams/a", null, "");

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.response().headers().firstValue("Retry-After")).contains("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "%00", "a'b\"c", "\uD83D\uDE00", "a/../b", "100%", "a b"})
    void shouldTakeHostileNamesAsTheyAre(String name) {
        // when
        Answer answer = client.send("DELETE", "/v1/streams/" + ApiClient.segment(name), null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(desk.submitted.get(0).command()).isEqualTo(new Command.DeleteStream(new StreamName(name), false));
    }
}
