package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.port.history.RejectedRecord.LeftOut;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.EffectivePolicyView.FieldView;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.events.EventRow;
import dev.ebb.wire.events.ExplainView;
import dev.ebb.wire.events.ExplainView.BlockView;
import dev.ebb.wire.events.ExplainView.DecisionView;
import dev.ebb.wire.events.NamespaceView;
import dev.ebb.wire.events.NamespaceView.ExpiringView;
import dev.ebb.wire.events.NamespaceView.TtlView;
import dev.ebb.wire.history.AuditView;
import dev.ebb.wire.history.ComplianceView;
import dev.ebb.wire.history.ComplianceView.ScopeView;
import dev.ebb.wire.history.RejectedView;
import dev.ebb.wire.history.SweepView;
import dev.ebb.wire.history.SweepView.TallyView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-16")
class InsightCommandsTest {

    private static final Instant AT = Instant.parse("2026-11-01T10:00:00Z");
    private static final Map<String, TallyView> DELETED = Map.of("TTL", new TallyView(12_345, 2048));

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListAudit() {
        // given
        api.answer(
                "GET /v1/audit?stream=orders%2F1&cause=MAX_AGE&from=2026-11-01T00:00:00Z&limit=1",
                new AuditView.Page(List.of(audit(null)), "xyz"));

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
        assertThat(run.out()).contains("MAX_AGE", "orders/1", "policy namespace:orders", "2.0 KiB", "a-1");
        assertThat(run.err()).contains("--after xyz");
    }

    /** The rows of a stream go together, and their number is the only one that such a record has. */
    @Test
    @Tag("F-13")
    void shouldShowHowManyRowsWent() {
        // given
        AuditView gone = audit("rows-1", "ROWS_REMOVED", "orders/1", null, 0, 0, "eva", "", null);
        ObjectNode entry = WireJson.tree(gone).deepCopy();
        entry.put("total", 77);
        api.answer("GET /v1/audit?limit=100", 200, "{\"audit\":[" + entry + "],\"next\":null}");

        // then
        assertThat(api.run("audit", "list").out()).containsPattern("ROWS_REMOVED .* orders/1 +77 +0 B +eva");
    }

    /** The scope of a changed policy is not its author. */
    @Test
    @Tag("O-25")
    void shouldNameNoAuthorWhereNoneIsKnown() {
        // given
        api.answer(
                "GET /v1/audit?limit=100",
                new AuditView.Page(List.of(audit("a-2", "POLICY_SET", null, null, 0, 0, "", "", null)), null));

        // then
        assertThat(api.run("audit", "list").out()).containsPattern("POLICY_SET .* namespace:orders +0 +0 B +- +a-2");
    }

    @Test
    @Tag("O-8")
    void shouldNameThePolicyThatAPersonConfirmed() {
        // given
        api.answer(
                "GET /v1/audit?actor=eva&limit=100",
                new AuditView.Page(
                        List.of(audit("policy-7-confirmed", "CONFIRMED", null, null, 0, 0, "eva", "they may go", null)),
                        null));

        // when
        CommandRun run = api.run("audit", "list", "--actor", "eva");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("CONFIRMED", "namespace:orders", "eva", "policy-7-confirmed");
    }

    @Test
    void shouldShowTheIdsOfAnAuditRecord() {
        // given
        api.answer("GET /v1/audit/a-1", audit(List.of("x", "y")));

        // when
        CommandRun run = api.run("audit", "show", "a-1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("MAX_AGE", "namespace:orders", "policy version", "EVENT", "x", "y");
    }

    @Test
    void shouldListAndShowSweeps() {
        // given
        SweepView sweep = sweep("enforce");
        api.answer("GET /v1/sweeps?limit=100", new SweepView.Page(List.of(sweep), null));
        api.answer("GET /v1/sweeps/c-1", new SweepView.Detail(sweep, List.of(sweep, sweep)));

        // when
        CommandRun list = api.run("sweep", "list");
        CommandRun show = api.run("sweep", "show", "c-1");

        // then
        assertThat(list.out()).contains("c-1", "0,3", "12,345", "15 ms", "early");
        assertThat(show.out()).contains("TTL", "12,345", "PARTITIONS");
    }

    @Test
    void shouldShowEventsThatASweepOnlyWarnedOf() {
        // given
        api.answer("GET /v1/sweeps/c-1", new SweepView.Detail(sweep("warn"), List.of(sweep("warn"))));

        // when
        CommandRun show = api.run("sweep", "show", "c-1");

        // then
        assertThat(show.out()).contains("MAX_COUNT", "23").doesNotContain("TTL");
    }

    @Test
    @Tag("O-20")
    void shouldListRejectedRecordsWithoutActingOnTheirNames() {
        // given
        api.answer("GET /v1/rejected?reason=BAD_TTL&limit=100", page(rejected("1-17", null)));

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
        api.answer("GET /v1/rejected?reason=BAD_TTL&limit=1000", page(rejected("0-9", null), rejected("0-8", null)));
        api.answer("POST /v1/rejected/0-8/replay", 202, new RejectedView.Replayed("0-8", "ebb.events"));
        api.answer("POST /v1/rejected/0-9/replay", 202, new RejectedView.Replayed("0-9", "ebb.events"));

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
        api.answer("GET /v1/rejected?limit=1000", page(rejected("0-9", null), rejected("0-8", null)));
        api.answer("POST /v1/rejected/0-8/replay", 409, ProblemView.ofStatus(409, "record 0-8 is too big"));
        api.answer("POST /v1/rejected/0-9/replay", 202, new RejectedView.Replayed("0-9", "ebb.events"));

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
        api.answer("GET /v1/rejected?limit=1000", page(rejected("0-9", null), rejected("0-8", null)));
        api.answer(
                "POST /v1/rejected/0-8/replay", 503, ProblemView.ofStatus(503, "the broker did not accept the record"));

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
        LeftOut cut = new LeftOut(3_000_000, "00", 0, 0);
        RejectedView.Page page = page(rejected("0-9", null), rejected("0-8", cut));
        api.answer("GET /v1/rejected?limit=100", page);
        api.answer("GET /v1/rejected?limit=1000", page);
        api.answer("POST /v1/rejected/0-9/replay", 202, new RejectedView.Replayed("0-9", "ebb.events"));

        // when
        CommandRun list = api.run("rejected", "list");
        CommandRun replay = api.run("rejected", "replay", "--all", "--yes");

        // then
        assertThat(list.out()).contains("3,000,000 (left out)");
        assertThat(replay.exitCode()).as(replay.err()).isZero();
        assertThat(replay.out()).isEqualToIgnoringNewLines("sent 1 record");
        assertThat(replay.err()).contains("1 record skipped: the value was too big to be kept");
    }

    @Test
    void shouldReplayNothingUnaskedWithoutATerminal() {
        // given
        api.answer("GET /v1/rejected/0-9", rejected("0-9", null));

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
        api.answer("GET /v1/rejected/0-9", rejected("0-9", null));

        // when
        CommandRun run = api.typed(answer + "\n", "rejected", "replay", "0-9");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("Send 1 record once more? [y/N]", "nothing was done");
    }

    @Test
    void shouldReplayAfterAYes() {
        // given
        api.answer("GET /v1/rejected/0-9", rejected("0-9", null));
        api.answer("POST /v1/rejected/0-9/replay", 202, new RejectedView.Replayed("0-9", "ebb.events"));

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
    void shouldRefuseSenselessOptions(String command) {
        // when
        CommandRun run = api.run(command.split(" ", -1));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldDescribeNamespaceWithItsTtlStats() {
        // given
        api.answer("GET /v1/namespaces/orders?ttl-stats=true", namespace(5, null, ttl(true, false)));

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
        api.answer("GET /v1/namespaces/orders?ttl-stats=true", namespace(5, null, ttl(false, true)));

        // when
        CommandRun run = api.run("namespace", "describe", "orders", "--show-ttl-stats");

        // then
        assertThat(run.out())
                .contains("at least 11 until", "the audit could not be read to its end")
                .doesNotContain("at least 4");
    }

    @Test
    void shouldDescribeNamespaceWithoutTtlStats() {
        // given
        api.answer("GET /v1/namespaces/orders", namespace(5, Instant.parse("2001-01-01T00:00:00Z"), null));

        // then
        assertThat(api.run("namespace", "describe", "orders").out())
                .containsPattern("the first of them +\\d+ d ago")
                .doesNotContain("TTL");
    }

    @Test
    void shouldListNamespaces() {
        // given
        NamespaceView orders = namespace(12, Instant.parse("2001-01-01T00:00:00Z"), null);
        api.answer("GET /v1/namespaces", new NamespaceView.All(List.of(orders), List.of()));

        // then
        assertThat(api.run("namespace", "list").out())
                .containsPattern("orders +3 +100 +2.0 KiB +7 +12 +1.0 KiB +\\d+ d ago");
    }

    private static NamespaceView namespace(long expiring, @Nullable Instant earliest, @Nullable TtlView ttl) {
        ExpiringView warned = new ExpiringView(expiring, 1024, earliest);
        return new NamespaceView("orders", 3, 100, 2048, 7, warned, true, ttl, List.of());
    }

    private static TtlView ttl(boolean isExpiredExact, boolean isExact) {
        Instant counted = Instant.parse("2001-01-01T00:00:00Z");
        return new TtlView(20, 70, 3, 11, isExpiredExact, counted, 4, 1024, 9, 90, isExact, counted);
    }

    @Test
    @Tag("O-15")
    void shouldExplainEvent() {
        // given
        api.answer(
                "GET /v1/streams/orders%2F1/explain?event=e%2F1",
                explained("HOLD", "hold LIT-1 covers *", decision("KEEP", "HELD", null)));

        // when
        CommandRun run = api.run("explain", "orders/1", "e/1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("stays: HELD", "never by age", "hold LIT-1 covers *", "maxAge", "30d", "* (built-in)");
    }

    @Test
    void shouldNotSayThatAnEventGoesWhereModeWarnOnlyWarns() {
        // given
        DecisionView goes = decision("REMOVE", "MAX_AGE", "*");
        api.answer("GET /v1/streams/a/explain?event=e", explained("WARN", "x", goes));
        api.answer("GET /v1/streams/b/explain?event=e", explained("WINDOW", "x", goes));

        // when
        CommandRun warned = api.run("explain", "a", "e");
        CommandRun waiting = api.run("explain", "b", "e");

        // then
        assertThat(warned.out())
                .contains("stays: mode warn", "would go: MAX_AGE")
                .doesNotContain("goes:");
        assertThat(waiting.out()).contains("goes: MAX_AGE").containsPattern("by +\\*");
    }

    @Test
    void shouldExplainStreamAlone() {
        // given
        api.answer("GET /v1/streams/orders%2F1/explain", explained("WINDOW", "sweeps run at night", null));

        // then
        assertThat(api.run("explain", "orders/1").out())
                .contains("WINDOW", "sweeps run at night", "maxAge")
                .contains("Waiting: an end of execution 1 waits for its events")
                .doesNotContain("decision");
    }

    @Test
    @Tag("O-26")
    void shouldExplainInFullWhatHappensToAStreamThatDoesNotExistYet() throws IOException {
        // given
        byte[] explained = WireJson.bytes(explained("WINDOW", "x", null));
        ObjectNode answer = (ObjectNode) Json.parse(new String(explained, StandardCharsets.UTF_8));
        answer.putArray("hints").add("there is no stream 'orders/1' now");
        api.answer("GET /v1/streams/orders%2F1/explain", 200, answer.toString());

        // when
        CommandRun run = api.run("explain", "orders/1");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("there is no stream 'orders/1' now");
    }

    private static ExplainView explained(String what, String detail, @Nullable DecisionView decision) {
        FieldView maxAge = new FieldView("30d", "*", null);
        return new ExplainView(
                "orders/1",
                7,
                new EffectivePolicyView(Map.of("maxAge", maxAge)),
                List.of(),
                List.of(new BlockView(what, detail)),
                "an end of execution 1 waits for its events",
                decision);
    }

    private static DecisionView decision(String decision, String reason, @Nullable String scope) {
        return new DecisionView("e/1", AT, decision, reason, scope, null, null, false, 0, null);
    }

    @Test
    void shouldReportCompliance() {
        // given
        api.answer(
                "GET /v1/reports/compliance?from=1970-01-01T00:00:00Z",
                report(
                        false,
                        new ScopeView(
                                "namespace:orders",
                                3L,
                                Json.object().put("scope", "x").put("maxAge", "30d"),
                                2,
                                5,
                                null,
                                4,
                                List.of("LIT-1"),
                                Map.of("TTL", new TallyView(2, 9)))));

        // when
        CommandRun run = api.run("report", "compliance", "--from", "1970-01-01");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("namespace:orders", "maxAge=30d", "LIT-1", "TTL 2");
        assertThat(run.err()).contains("lower bounds");
    }

    @Test
    void shouldFitTheReportOnAScreenWithAllThatIsInForce() {
        // given: built-in values, and a scope of many words
        String builtIn = "maxAge=30d maxCount=unlimited maxBytes=unlimited keepLast=none minAge=none anchor=stored"
                + " minTtl=none maxTtl=none allowInfiniteTtl=false mode=enforce interval=1s"
                + " window=22:00-06:00 Europe/Berlin warnBefore=1d archive=false";
        ObjectNode policy = Json.object().put("scope", "*");
        for (String rule : builtIn.split(" (?=[a-zA-Z]+=)")) {
            String[] parts = rule.split("=", 2);
            policy.put(parts[0], parts[1]);
        }
        api.answer(
                "GET /v1/reports/compliance",
                report(
                        true,
                        new ScopeView(
                                "namespace:a-namespace",
                                null,
                                policy,
                                1000,
                                1_000_000,
                                Instant.parse("2026-11-22T12:09:43.925Z"),
                                4,
                                List.of("LIT-2026-1", "LIT-2026-3"),
                                new TreeMap<>(Map.of(
                                        "TTL", new TallyView(20_000, 0), "MAX_AGE", new TallyView(3_000_000, 0))))));

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

    /** Faults that only the instance finds end the command like faults that the command line finds itself. */
    @ParameterizedTest
    @ValueSource(strings = {"event list s --expiring-within soon|/v1/streams/s/events?expiring-within=soon&limit=100"})
    void shouldPrintTheFaultThatTheInstanceFinds(String commandAndRoute) {
        // given
        String[] parts = commandAndRoute.split("\\|");
        api.answer("GET " + parts[1], 400, ProblemView.ofStatus(400, "so wrong"));

        // when
        CommandRun run = api.run(parts[0].split(" ", -1));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("so wrong");
    }

    @Test
    void shouldListExpiringEvents() {
        // given
        api.answer(
                "GET /v1/streams/s/events?expiring-within=24h&limit=100",
                new EventRow.Page(
                        List.of(
                                event("e-1", "protected", null),
                                event("e-2", "never", null),
                                event("e-3", "kept", AT),
                                event("e-4", "goes", Instant.now().plus(Duration.ofDays(9))),
                                event("e-5", "held", AT),
                                event("e-6", "guarded", AT)),
                        null));

        // then
        assertThat(api.run("event", "list", "s", "--expiring-within", "24h").out())
                .containsPattern("e-1 +paid +- +2026-11-01T09:59:59.000Z +2026-11-01T10:00:00.000Z +9 +protected")
                .containsPattern("e-2 .* never by age")
                .containsPattern("e-3 .* kept")
                .containsPattern("e-4 .* in 9 d")
                .containsPattern("e-5 .* held")
                .containsPattern("e-6 .* guarded");
    }

    private static EventRow event(String id, String fate, @Nullable Instant dueAt) {
        return new EventRow("s", id, "paid", null, AT.minusSeconds(1), AT, 9, false, dueAt, fate);
    }

    private static AuditView audit(@Nullable List<String> ids) {
        return audit("a-1", "DELETE", "orders/1", "MAX_AGE", 2, 2048, "", "", ids);
    }

    private static AuditView audit(
            String id,
            String action,
            @Nullable String stream,
            @Nullable String cause,
            long events,
            long bytes,
            String actor,
            String reason,
            @Nullable List<String> ids) {
        return new AuditView(
                id,
                action,
                AT,
                "namespace:orders",
                7L,
                stream,
                cause,
                events,
                bytes,
                null,
                null,
                null,
                null,
                actor,
                reason,
                null,
                null,
                null,
                null,
                ids);
    }

    private static ComplianceView report(boolean isExact, ScopeView scope) {
        return new ComplianceView(AT, null, null, 3, isExact, List.of(scope), List.of());
    }

    private static SweepView sweep(String mode) {
        return new SweepView(
                "c-1",
                "c-1",
                "COMMAND",
                mode,
                List.of(0, 3),
                AT,
                7,
                AT,
                AT.plusMillis(15),
                15,
                4,
                12_345,
                2048,
                DELETED,
                23,
                46,
                Map.of("MAX_COUNT", new TallyView(23, 46)),
                0,
                0,
                true);
    }

    private static RejectedView.Page page(RejectedView... records) {
        return new RejectedView.Page(List.of(records), null);
    }

    private static RejectedView rejected(String id, @Nullable LeftOut leftOut) {
        long bytes = leftOut == null ? 9 : leftOut.valueBytes();
        return new RejectedView(
                id, "BAD_TTL", "why", AT, "ebb.events", 1, 17, 0, "k\u001b[31m", null, bytes, null, null, leftOut);
    }

    @Test
    void shouldTakeADateForATime() {
        // given
        api.answer(
                "GET /v1/audit?from=2026-11-01T00:00:00Z&to=2026-11-02T23:59:59%2E999Z&limit=100",
                new AuditView.Page(List.of(), null));

        // when
        CommandRun run = api.run("audit", "list", "--from", "2026-11-01", "--to", "2026-11-02");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
    }
}
