package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-16")
class InsightCommandsTest {

    private static final String AUDIT =
            "{\"auditId\":\"a-1\",\"action\":\"DELETE\",\"at\":\"2026-11-01T10:00:00.000Z\","
                    + "\"scope\":\"namespace:orders\",\"policyVersion\":7,\"stream\":\"orders/1\",\"cause\":\"MAX_AGE\","
                    + "\"events\":2,\"bytes\":2048,\"actor\":\"\",\"reason\":\"\"";
    private static final String SWEEP = "{\"id\":\"c-1\",\"trigger\":\"COMMAND\",\"partitions\":[0,3],"
            + "\"started\":\"2026-11-01T10:00:00.000Z\",\"durationMs\":15,\"streamsProcessed\":4,"
            + "\"eventsDeleted\":12345,\"bytesDeleted\":2048,\"deleted\":{\"TTL\":{\"events\":12345,\"bytes\":2048}},"
            + "\"stoppedEarly\":true}";
    private static final String REJECTED = "{\"id\":\"ID\",\"rejectedAt\":\"2026-11-01T10:00:00.000Z\","
            + "\"reason\":\"BAD_TTL\",\"topic\":\"ebb.events\",\"partition\":1,\"offset\":17,\"key\":\"k\\u001b[31m\","
            + "\"bytes\":9,\"detail\":\"why\"}";

    private FakeApi api;

    @BeforeEach
    void start() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void shouldListAudit() {
        // given
        api.answer(
                "GET /v1/audit?stream=orders%2F1&cause=MAX_AGE&from=2026-11-01T00:00:00Z&limit=1",
                200, "{\"audit\":[" + AUDIT + "}],\"next\":\"xyz\"}");

        // when
        CommandRun run = api.run(
                "audit",
                "list",
                "--stream",
                "orders/1",
                "--cause",
                "MAX_AGE",
                "--from",
                "2026-11-01T00:00:00Z",
                "--limit",
                "1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("MAX_AGE", "orders/1", "namespace:orders", "2.0 KiB", "a-1");
        assertThat(run.err()).contains("--after xyz");
    }

    @Test
    @Tag("O-8")
    void shouldNameThePolicyThatSomebodyConfirmed() {
        // given
        api.answer(
                "GET /v1/audit?actor=eva&limit=100",
                200,
                "{\"audit\":[{\"auditId\":\"policy-7-confirmed\",\"action\":\"CONFIRMED\",\"at\":\"2026-11-01T10:00:00.000Z\","
                        + "\"scope\":\"namespace:orders\",\"stream\":null,\"cause\":null,\"events\":0,\"bytes\":0,"
                        + "\"actor\":\"eva\",\"reason\":\"they may go\"}],\"next\":null}");

        // when
        CommandRun run = api.run("audit", "list", "--actor", "eva");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("CONFIRMED", "namespace:orders", "eva", "policy-7-confirmed");
    }

    @Test
    void shouldShowTheIdsOfAnAuditRecord() {
        // given
        api.answer("GET /v1/audit/a-1", 200, AUDIT + ",\"eventIds\":[\"x\",\"y\"]}");

        // when
        CommandRun run = api.run("audit", "show", "a-1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("MAX_AGE", "namespace:orders", "policy version", "EVENT", "x", "y");
    }

    @Test
    void shouldListAndShowSweeps() {
        // given
        api.answer("GET /v1/sweeps?limit=100", 200, "{\"sweeps\":[" + SWEEP + "],\"next\":null}");
        api.answer(
                "GET /v1/sweeps/c-1", 200, "{\"sweep\":" + SWEEP + ",\"byPartition\":[" + SWEEP + "," + SWEEP + "]}");

        // when
        CommandRun list = api.run("sweep", "list");
        CommandRun show = api.run("sweep", "show", "c-1");

        // then
        assertThat(list.out()).contains("c-1", "0,3", "12,345", "15 ms", "early");
        assertThat(show.out()).contains("TTL", "12,345", "PARTITIONS");
    }

    @Test
    @Tag("O-20")
    void shouldListRejectedRecordsWithoutActingOnTheirNames() {
        // given
        api.answer("GET /v1/rejected?reason=BAD_TTL&limit=100", 200, rejected("1-17"));

        // when
        CommandRun run = api.run("rejected", "list", "--reason", "BAD_TTL");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("1-17", "ebb.events 1:17", "why").doesNotContain("\u001b");
    }

    @Test
    @Tag("O-20")
    void shouldReplayOldestFirst() {
        // given
        api.answer("GET /v1/rejected?reason=BAD_TTL&limit=1000", 200, rejected("0-9", "0-8"));
        api.answer("POST /v1/rejected/0-8/replay", 202, "{\"id\":\"0-8\",\"topic\":\"ebb.events\"}");
        api.answer("POST /v1/rejected/0-9/replay", 202, "{\"id\":\"0-9\",\"topic\":\"ebb.events\"}");

        // when
        CommandRun run = api.run("rejected", "replay", "--reason", "BAD_TTL", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualToIgnoringNewLines("sent 2 records");
        assertThat(api.requests())
                .extracting(FakeApi.Request::uri)
                .containsExactly(
                        "/v1/rejected?reason=BAD_TTL&limit=1000", "/v1/rejected/0-8/replay", "/v1/rejected/0-9/replay");
    }

    @Test
    @Tag("O-20")
    void shouldSendTheOthersWhereOneCannotBeSent() {
        // given
        api.answer("GET /v1/rejected?limit=1000", 200, rejected("0-9", "0-8"));
        api.answer("POST /v1/rejected/0-8/replay", 409, "{\"detail\":\"record 0-8 is too big\"}");
        api.answer("POST /v1/rejected/0-9/replay", 202, "{\"id\":\"0-9\",\"topic\":\"ebb.events\"}");

        // when
        CommandRun run = api.run("rejected", "replay", "--all", "--yes");
        CommandRun json = api.run("rejected", "replay", "--all", "--yes", "-o", "json");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).isEqualToIgnoringNewLines("sent 1 record");
        assertThat(run.err()).contains("0-8 was not sent: record 0-8 is too big");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json.out()).contains("\"replayed\"", "\"0-9\"", "\"failed\"", "record 0-8 is too big");
    }

    @Test
    @Tag("O-20")
    void shouldSendNoMoreWhereTheBrokerIsAway() {
        // given
        api.answer("GET /v1/rejected?limit=1000", 200, rejected("0-9", "0-8"));
        api.answer("POST /v1/rejected/0-8/replay", 503, "{\"detail\":\"the broker did not take the record\"}");

        // when
        CommandRun run = api.run("rejected", "replay", "--all", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("0-8 was not sent", "1 record after it was not tried");
        assertThat(api.requests()).extracting(FakeApi.Request::uri).doesNotContain("/v1/rejected/0-9/replay");
    }

    @Test
    @Tag("O-20")
    void shouldSayThatAValueWasLeftOutAndPassItOver() {
        // given
        String whole = REJECTED.replace("ID", "0-9");
        String cut = REJECTED.replace("ID", "0-8")
                .replace("\"bytes\":9", "\"bytes\":3000000,\"leftOut\":{\"valueBytes\":3000000}");
        String page = "{\"rejected\":[" + whole + "," + cut + "],\"next\":null}";
        api.answer("GET /v1/rejected?limit=100", 200, page);
        api.answer("GET /v1/rejected?limit=1000", 200, page);
        api.answer("POST /v1/rejected/0-9/replay", 202, "{\"id\":\"0-9\",\"topic\":\"ebb.events\"}");

        // when
        CommandRun list = api.run("rejected", "list");
        CommandRun replay = api.run("rejected", "replay", "--all", "--yes");

        // then
        assertThat(list.out()).contains("3,000,000 (left out)");
        assertThat(replay.exitCode()).as(replay.err()).isZero();
        assertThat(replay.out()).isEqualToIgnoringNewLines("sent 1 record");
        assertThat(replay.err()).contains("1 record passed over: the value was too big to be kept");
    }

    @Test
    void shouldReplayNothingWhereNobodyCanBeAsked() {
        // given
        api.answer("GET /v1/rejected/0-9", 200, REJECTED.replace("ID", "0-9"));

        // when
        CommandRun run = api.run("rejected", "replay", "0-9");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--yes");
        assertThat(api.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "", "no", "ja"})
    void shouldReplayNothingWithoutAYes(String answer) {
        // given
        api.answer("GET /v1/rejected/0-9", 200, REJECTED.replace("ID", "0-9"));

        // when
        CommandRun run = api.typed(answer + "\n", "rejected", "replay", "0-9");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("Send 1 record once more? [y/N]", "nothing was done");
    }

    @Test
    void shouldReplayAfterAYes() {
        // given
        api.answer("GET /v1/rejected/0-9", 200, REJECTED.replace("ID", "0-9"));
        api.answer("POST /v1/rejected/0-9/replay", 202, "{\"id\":\"0-9\",\"topic\":\"ebb.events\"}");

        // when
        CommandRun run = api.typed("y\n", "rejected", "replay", "0-9");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rejected replay",
                "rejected replay --all --reason BAD_TTL",
                "rejected replay 0-1 --all",
                "explain",
                "namespace describe",
                "audit show",
                "audit list --limit 0"
            })
    void shouldRefuseWhatMakesNoSense(String command) {
        // when
        CommandRun run = api.run(command.split(" ", -1));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldDescribeNamespaceWithItsTtlStats() {
        // given
        api.answer(
                "GET /v1/namespaces/orders?ttl-stats=true",
                200,
                "{\"namespace\":\"orders\",\"streams\":3,\"events\":100,\"bytes\":2048,\"protectedEvents\":7,"
                        + "\"expiring\":{\"events\":5,\"bytes\":1024,\"earliest\":null},"
                        + "\"ttl\":{\"ownTtl\":20,\"withoutTtl\":70,\"infinite\":3,\"expiredLastHour\":11,\"expiredExact\":true,\"expiredCountedAt\":\"2001-01-01T00:00:00.000Z\","
                        + "\"dueNextHour\":4,\"bytesDueNextHour\":1024,\"dueNextDay\":9,\"bytesDueNextDay\":90,"
                        + "\"exact\":false}}");

        // when
        CommandRun run = api.run("namespace", "describe", "orders", "--show-ttl-stats");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("without TTL", "70", "at least 4 events, 1.0 KiB")
                .containsPattern("expired in the last hour +11 until 2001-01-01")
                .contains("expiring within warnBefore", "5 events, 1.0 KiB");
    }

    @Test
    void shouldSayThatMoreMayHaveExpired() {
        // given
        api.answer(
                "GET /v1/namespaces/orders?ttl-stats=true",
                200,
                "{\"namespace\":\"orders\",\"ttl\":{\"expiredLastHour\":11,\"expiredExact\":false,\"exact\":true}}");

        // when
        CommandRun run = api.run("namespace", "describe", "orders", "--show-ttl-stats");

        // then
        assertThat(run.out()).contains("at least 11 until", "the audit could not be read to its end");
    }

    @Test
    void shouldListNamespaces() {
        // given
        api.answer(
                "GET /v1/namespaces",
                200,
                "{\"namespaces\":[{\"namespace\":\"orders\",\"streams\":3,\"events\":100,\"bytes\":1,"
                        + "\"expiring\":{\"events\":12,\"bytes\":2048,\"earliest\":\"2001-01-01T00:00:00.000Z\"}}]}");

        // then
        assertThat(api.run("namespace", "list").out()).contains("orders", "100", "12", "2.0 KiB", "ago");
    }

    @Test
    @Tag("O-15")
    void shouldExplainEvent() {
        // given
        api.answer(
                "GET /v1/streams/orders%2F1/explain?event=e%2F1",
                200,
                "{\"policy\":{\"maxAge\":{\"value\":\"30d\",\"scope\":\"*\",\"version\":null}},"
                        + "\"blocks\":[{\"what\":\"HOLD\",\"detail\":\"hold LIT-1 covers *\"}],"
                        + "\"event\":{\"id\":\"e/1\",\"decision\":\"KEEP\",\"reason\":\"HELD\",\"due\":null,"
                        + "\"status\":null,\"execution\":0}}");

        // when
        CommandRun run = api.run("explain", "orders/1", "e/1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("stays: HELD", "never by age", "hold LIT-1 covers *", "maxAge", "30d", "* (built-in)");
    }

    @Test
    void shouldNotSayThatAnEventGoesOfWhichModeWarnOnlyWarns() {
        // given
        String explained = "{\"policy\":{},\"blocks\":[{\"what\":\"WHAT\",\"detail\":\"x\"}],\"event\":{\"id\":\"e\","
                + "\"decision\":\"REMOVE\",\"reason\":\"MAX_AGE\",\"scope\":\"*\",\"due\":null}}";
        api.answer("GET /v1/streams/a/explain?event=e", 200, explained.replace("WHAT", "WARN"));
        api.answer("GET /v1/streams/b/explain?event=e", 200, explained.replace("WHAT", "WINDOW"));

        // when
        CommandRun warned = api.run("explain", "a", "e");
        CommandRun waiting = api.run("explain", "b", "e");

        // then
        assertThat(warned.out())
                .contains("stays: mode warn", "would go: MAX_AGE")
                .doesNotContain("goes:");
        assertThat(waiting.out()).contains("goes: MAX_AGE");
    }

    @Test
    void shouldReportCompliance() {
        // given
        api.answer(
                "GET /v1/reports/compliance?from=0",
                200,
                "{\"exact\":false,\"scopes\":[{\"scope\":\"namespace:orders\",\"policy\":{\"scope\":\"x\","
                        + "\"maxAge\":\"30d\"},\"streams\":2,\"events\":5,\"oldest\":null,\"overdue\":4,"
                        + "\"holds\":[\"LIT-1\"],\"deleted\":{\"TTL\":{\"events\":2,\"bytes\":9}}}]}");

        // when
        CommandRun run = api.run("report", "compliance", "--from", "0");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("namespace:orders", "maxAge=30d", "LIT-1", "TTL 2");
        assertThat(run.err()).contains("at least");
    }

    @Test
    void shouldFitTheReportOnAScreenWithAllThatIsInForce() {
        // given: what is built in, and a scope of many words
        String builtIn = "maxAge=30d maxCount=unlimited maxBytes=unlimited keepLast=none minAge=none anchor=stored"
                + " minTtl=none maxTtl=none allowInfiniteTtl=false mode=enforce interval=1s"
                + " window=22:00-06:00 Europe/Berlin warnBefore=1d archive=false";
        StringBuilder policy = new StringBuilder("\"scope\":\"*\"");
        for (String rule : builtIn.split(" (?=[a-zA-Z]+=)")) {
            policy.append(",\"").append(rule.replace("=", "\":\"")).append('"');
        }
        api.answer(
                "GET /v1/reports/compliance",
                200,
                "{\"exact\":true,\"scopes\":[{\"scope\":\"namespace:a-namespace\",\"policy\":{" + policy
                        + "},\"streams\":1000,\"events\":1000000,\"oldest\":\"2026-11-22T12:09:43.925Z\","
                        + "\"overdue\":4,\"holds\":[\"LIT-2026-1\",\"LIT-2026-3\"],"
                        + "\"deleted\":{\"TTL\":{\"events\":20000},\"MAX_AGE\":{\"events\":3000000}}}]}");

        // when
        CommandRun run = api.run("report", "compliance");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(130));
        assertThat(run.out())
                .contains(builtIn.split(" "))
                .contains("namespace:a-namespace", "LIT-2026-1", "LIT-2026-3", "TTL 20,000", "3,000,000");
    }

    /** What only the instance can know to be wrong is told, and ends like what the command line knows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "report compliance --from yesterday|/v1/reports/compliance?from=yesterday",
                "event list s --expiring-within soon|/v1/streams/s/events?expiring-within=soon&limit=100"
            })
    void shouldSayWhatTheInstanceFindsWrong(String commandAndRoute) {
        // given
        String[] parts = commandAndRoute.split("\\|");
        api.answer(
                "GET " + parts[1],
                400,
                "{\"type\":\"about:blank\",\"title\":\"bad request\",\"status\":400,\"detail\":\"so wrong\"}");

        // when
        CommandRun run = api.run(parts[0].split(" ", -1));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("so wrong");
    }

    @Test
    void shouldListWhatExpires() {
        // given
        api.answer(
                "GET /v1/streams/s/events?expiring-within=24h&limit=100",
                200,
                "{\"events\":[{\"id\":\"e-1\",\"type\":\"t\",\"bytes\":9,\"protected\":false,\"expired\":false}],"
                        + "\"next\":null}");

        // then
        assertThat(api.run("event", "list", "s", "--expiring-within", "24h").out())
                .contains("e-1");
    }

    private static String rejected(String... ids) {
        StringBuilder records = new StringBuilder();
        for (String id : ids) {
            records.append(records.isEmpty() ? "" : ",").append(REJECTED.replace("ID", id));
        }
        return "{\"rejected\":[" + records + "],\"next\":null}";
    }

    @Test
    void shouldTakeADateForATime() {
        // given
        api.answer("GET /v1/audit?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&limit=100", 200, "{\"audit\":[]}");

        // when
        CommandRun run = api.run("audit", "list", "--from", "2026-11-01", "--to", "2026-11-02");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
    }
}
