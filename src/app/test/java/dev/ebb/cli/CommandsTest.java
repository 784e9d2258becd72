package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.ebb.cli.client.Json;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.events.EventRow;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.FieldDifference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import dev.ebb.wire.policies.PolicyRecordView;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

@Tag("O-16")
class CommandsTest {

    private static final Changed CHANGED =
            new Changed(true, 8, List.of("namespace:orders"), List.of(), List.of(), List.of(), List.of());

    @TempDir
    private Path folder;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldSetWholePolicy() {
        // given
        api.answer("PUT /v1/policies/namespace:orders", CHANGED);

        // when
        CommandRun run = api.run(
                "policy",
                "set",
                "namespace:orders",
                "--max-age",
                "30d",
                "--max-count",
                "100",
                "--max-bytes",
                "unlimited",
                "--anchor",
                "completed",
                "--min-ttl",
                "1s",
                "--max-ttl",
                "none",
                "--no-allow-infinite-ttl",
                "--interval",
                "5s",
                "--pattern",
                "cache",
                "--enabled",
                "--reason",
                "why",
                "--updated-by",
                "me");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("namespace:orders", "in force", "version 8");
        assertThat(api.requests().get(1).body())
                .isEqualTo("{\"maxAge\":\"30d\",\"maxCount\":100,\"maxBytes\":\"unlimited\",\"anchor\":\"completed\","
                        + "\"minTtl\":\"1s\",\"maxTtl\":\"none\",\"allowInfiniteTtl\":false,\"interval\":\"5s\","
                        + "\"pattern\":\"cache\",\"enabled\":true,\"updatedBy\":\"me\",\"reason\":\"why\"}");
    }

    @Test
    void shouldShowEveryFaultOfARefusedPolicy() {
        // given
        ProblemView refused = new ProblemView(
                "urn:ebb:problem:bad-request",
                "Bad request",
                400,
                "the policy is refused",
                List.of(new Fault("maxAge", "bad"), new Fault("maxCount", "worse")),
                List.of());
        api.answer("PUT /v1/policies/*", 400, refused);
        api.answer("PUT /v1/policies/%2A", 400, refused);

        // when
        CommandRun run = api.run("policy", "set", "*", "--max-age", "-5d");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("maxAge: bad", "maxCount: worse").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        false, 90, 5
        false,   , 4
        true,  90, 5
        """)
    @Tag("O-8")
    void shouldNotCallAPolicySetThatTheBrakeHoldsBack(boolean isInForce, @Nullable Long wouldDelete, int exitCode) {
        // given
        Changed held = new Changed(
                isInForce,
                8,
                List.of(),
                List.of(),
                List.of(),
                List.of(waiting("namespace:x", 17, wouldDelete)),
                List.of());
        api.answer("PUT /v1/policies/namespace:x", 202, held);
        api.answer("DELETE /v1/policies/namespace:x?actor=me&reason=why", 202, held);
        api.answer("DELETE /v1/holds/c?actor=me&reason=why", 202, held);

        // when
        CommandRun run = api.run("policy", "set", "namespace:x", "--max-age", "1s", "--actor", "me");

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.out())
                .contains(
                        "waits  namespace:x",
                        "held back, the former state stays in force",
                        "'ebb policy confirm namespace:x --reason",
                        "so it is")
                .doesNotContain("set  ");
        assertThat(api.run("policy", "delete", "namespace:x", "--actor", "me", "--reason", "why", "--yes")
                        .exitCode())
                .isEqualTo(exitCode);
        assertThat(api.run("hold", "release", "c", "--actor", "me", "--reason", "why", "--yes", "-o", "json")
                        .exitCode())
                .isEqualTo(exitCode);
    }

    @Test
    void shouldTellByItsExitCodeThatAPolicyWasNotSeenInForce() {
        // given
        api.answer(
                "PUT /v1/policies/namespace:x",
                202,
                new Changed(false, 8, List.of("namespace:x"), List.of(), List.of(), List.of(), List.of()));

        // when
        CommandRun run = api.run("policy", "set", "namespace:x", "--max-age", "1s");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.out()).contains("sent, not seen in force yet");
    }

    @Test
    @Tag("O-8")
    void shouldSayThatAChangeWasWithdrawn() {
        // given
        api.answer(
                "DELETE /v1/policies/namespace:x?actor=me&reason=why",
                new Changed(true, 8, List.of(), List.of(), List.of(), List.of(), List.of("namespace:x")));

        // when
        CommandRun run = api.run("policy", "delete", "namespace:x", "--actor", "me", "--reason", "why", "--yes");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("withdrew the change that waited for  namespace:x")
                .doesNotContain("removed");
    }

    @Test
    @Tag("O-8")
    void shouldShowAChangeThatWaitsWithItsPolicy() {
        // given
        api.answer(
                "GET /v1/policies/namespace:x",
                new PolicyRecordView(
                        "namespace:x",
                        Json.object().put("maxAge", "30d"),
                        3L,
                        null,
                        false,
                        waiting("namespace:x", 17, null)));

        // then
        assertThat(api.run("policy", "get", "namespace:x").out()).containsPattern("(?m)^waits +version 17: so it is");
    }

    @Test
    void shouldSayThatPolicyIsNotThere() {
        // given
        api.answer(
                "DELETE /v1/policies/namespace:x?actor=me&reason=why",
                404,
                "{\"detail\":\"there is no policy for namespace:x\"}");

        // when
        CommandRun run = api.run("policy", "delete", "namespace:x", "--actor", "me", "--reason", "why", "--yes");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualToIgnoringNewLines("ebb: there is no policy for namespace:x");
    }

    @Test
    @Tag("O-13")
    void shouldTellIfAFileDiffers() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []\n");
        FieldDifference covers = new FieldDifference("covers", TextNode.valueOf("*"), null);
        Difference missing = new Difference("hold:c", Kind.MISSING, List.of(covers));
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(false, List.of(missing), List.of()));

        // when
        CommandRun run = api.run("policy", "diff", "-f", file.toString());

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).contains("hold:c", "missing", "covers");

        // when
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));

        // then
        assertThat(api.run("policy", "diff", "-f", file.toString()).exitCode()).isZero();
    }

    @Test
    @Tag("O-13")
    void shouldExportAFileThatCanBeApplied() {
        // given
        api.answer(
                "GET /v1/policies/export",
                200,
                "{\"policies\":[{\"scope\":\"*\",\"maxAge\":\"30d\",\"window\":\"22:00-06:00"
                        + " UTC\",\"reason\":\"1e5\"}],\"holds\":[{\"case\":\"0x1\",\"covers\":\"*\"}]}");

        // when
        CommandRun run = api.run("policy", "export");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        PolicyFile file = PolicyFile.read(run.out());
        assertThat(file.problems()).isEmpty();
        assertThat(file.policies().get(0).reason()).isEqualTo("1e5");
        assertThat(file.holds().get(0).caseId()).isEqualTo("0x1");
    }

    @Test
    @Tag("F-10")
    void shouldApplyListAndRemoveSources() throws IOException {
        // given
        Path file = folder.resolve("sources.yaml");
        Files.writeString(file, "sources:\n- {name: orders, topic: t, as: table, stream: 'orders/{value.c}'}\n");
        Path plain = folder.resolve("plain.yaml");
        Files.writeString(plain, "policies: []\n");
        api.answer("POST /v1/policies:apply?anyway=true&actor=me&reason=r", CHANGED);
        api.answer("DELETE /v1/sources/orders?actor=me&reason=over", CHANGED);
        api.answer(
                "GET /v1/sources",
                Map.of(
                        "version",
                        8,
                        "sources",
                        List.of(Map.of(
                                "name",
                                "orders",
                                "topic",
                                "shop.orders",
                                "mode",
                                "warn",
                                "reading",
                                Map.of(
                                        "state",
                                        "behind",
                                        "lag",
                                        1234,
                                        "rejected",
                                        2,
                                        "problem",
                                        "no compact",
                                        "lastFault",
                                        "SOURCE_PATH: value.c",
                                        "lastFaultAt",
                                        "2026-11-28T10:00:00Z")))));
        api.answer("POST /v1/sources/orders/pause?actor=me&reason=move", CHANGED);
        api.answer("POST /v1/sources/orders/resume?actor=me&reason=moved", CHANGED);
        api.answer(
                "POST /v1/sources/orders/reset?to=earliest&actor=me&reason=new",
                Map.of("name", "orders", "offsets", Map.of("0", 7)));

        // when
        CommandRun applied =
                api.run("source", "apply", file.toString(), "--reason", "r", "--updated-by", "me", "--yes");
        CommandRun refused = api.run("source", "apply", plain.toString(), "--reason", "r");
        CommandRun listed = api.run("source", "list");
        CommandRun paused = api.run("source", "pause", "orders", "--reason", "move", "--updated-by", "me");
        CommandRun reset = api.run(
                "source", "reset", "orders", "--to", "earliest", "--reason", "new", "--updated-by", "me", "--yes");
        CommandRun resumed = api.run("source", "resume", "orders", "--reason", "moved", "--updated-by", "me");
        CommandRun unasked = api.run("source", "remove", "orders", "--reason", "over", "--yes");
        CommandRun removed =
                api.run("source", "remove", "orders", "--keep", "--reason", "over", "--actor", "me", "--yes");

        // then
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("has no sources");
        assertThat(listed.out()).contains("orders", "shop.orders", "warn", "behind", "1,234");
        assertThat(listed.out() + listed.err())
                .contains("orders needs attention: no compact")
                .containsPattern("Last fault of orders, 2026-11-28T10:00:00\\S*Z: SOURCE_PATH: value.c");
        assertThat(paused.exitCode()).as(paused.err()).isZero();
        assertThat(reset.exitCode()).as(reset.err()).isZero();
        assertThat(reset.out()).contains("7");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(unasked.err()).contains("--keep", "--delete", "--delete-target");
        assertThat(removed.exitCode()).as(removed.err()).isZero();
    }

    /** The declaration as it stands in a file, and each figure in words of its own. */
    @Test
    @Tag("F-10")
    void shouldDescribeASourceInWords() {
        // given
        api.answer("GET /v1/sources/orders", 200, """
                {"name": "orders", "topic": "shop.orders", "as": "log", "stream": "orders/{value.c}", "keep": "reference",
                 "target": "truncate", "mode": "enforce",
                 "reading": {"state": "behind", "lag": 1234, "perSecond": 40, "rejected": 2, "overtaken": 0,
                   "lastFault": "SOURCE_PATH: value.c", "lastFaultAt": "2026-11-28T10:00:00Z",
                   "starts": [{"partition": 2, "start": 10, "next": 14, "heldBy": "event 2-14 of a/b"}]},
                 "declaration": {"name": "orders", "status": {"from": "value.s", "map": {"SHIPPED": "completed"}}}}""");

        // when
        CommandRun run = api.run("source", "describe", "orders");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^state +behind$")
                .containsPattern("(?m)^lag +1234$")
                .containsPattern("(?m)^last fault +SOURCE_PATH: value.c$")
                .containsPattern("(?m)^last fault at +2026-11-28T10:00:00")
                .containsPattern("(?m)^start of partition 2 +10; it would be 14; there begins: event 2-14 of a/b$")
                .contains("declaration:\n  name: ", "    map:\n      SHIPPED: ")
                .doesNotContain("{\"");
    }

    @Test
    @Tag("M-18")
    void shouldPlaceReleaseAndListHolds() {
        // given
        api.answer("PUT /v1/holds/c%2F1", CHANGED);
        api.answer("DELETE /v1/holds/c%2F1?actor=me&reason=over", CHANGED);
        api.answer("GET /v1/holds", new HoldView.All(8, List.of(new HoldView("c/1", "*", "r", null, null))));

        // when
        CommandRun placed = api.run("hold", "place", "c/1", "--covers", "*", "--reason", "r", "--actor", "me");
        CommandRun released = api.run("hold", "release", "c/1", "--actor", "me", "--reason", "over", "--yes");
        CommandRun listed = api.run("hold", "list");

        // then
        assertThat(placed.exitCode()).as(placed.err()).isZero();
        assertThat(api.requests().get(0).body()).isEqualTo("{\"covers\":\"*\",\"reason\":\"r\",\"placedBy\":\"me\"}");
        assertThat(released.exitCode()).as(released.err()).isZero();
        assertThat(listed.out()).contains("c/1", "*", "r");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hold place '' --covers * --reason r: the case of a hold must not be empty",
                "hold place ' c' --covers * --reason r: the case of a hold must not begin or end with a blank",
                "hold place c --covers * --reason '': name a reason with --reason",
                "hold release '': the case of a hold must not be empty",
                "hold release a\0b: the case of a hold must not",
                "policy confirm '': '' is not a key",
                "policy confirm foo: 'foo' is not a key; write stream:<name>, namespace:<name>, pattern:<name>, *, hold:<case>, source:<name>, settings or clock",
                "policy confirm hold:: the case of a hold must not be empty",
                "policy confirm namespace:a --version-waiting x: Invalid value"
            })
    @Tag("O-16")
    void shouldSendNothingThatMakesNoSense(String line) {
        // given
        int colon = line.indexOf(": ");
        String[] args = Stream.of(line.substring(0, colon).split(" (?=(?:[^']*'[^']*')*[^']*$)"))
                .map(arg -> arg.replace("'", ""))
                .toArray(String[]::new);

        // when
        CommandRun run = api.run(args);

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(line.substring(colon + 2));
        assertThat(api.requests()).isEmpty();
    }

    @Test
    @Tag("O-8")
    void shouldConfirmThatVeryVersion() {
        // given
        api.answer("POST /v1/policies/confirm?actor=me&reason=ok&key=hold:c%2F1&version=7&wouldDelete=12", CHANGED);

        // when
        CommandRun run =
                api.run("policy confirm hold:c/1 --version-waiting 7 --would-delete 12 --actor me --reason ok --yes"
                        .split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @Test
    void shouldApplyFileOfPolicies() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("p.yaml"), "policies: []\n");
        api.answer("POST /v1/policies/diff", new PolicyFileComparisonView(true, List.of(), List.of()));
        api.answer("POST /v1/policies:apply?prune=true&actor=me&reason=why", CHANGED);

        // when
        CommandRun run = api.run(
                "policy", "apply", "-f", file.toString(), "--prune", "--actor", "me", "--reason", "why", "-o", "json");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"version\" : 8");
        assertThat(api.requests().get(1).body()).isEqualTo("policies: []\n");
    }

    @Test
    void shouldListStreamsOverAllPages() {
        // given
        api.answer("GET /v1/streams?namespace=n&limit=1000", 200, streams("n/a", "\"n/a\""));
        api.answer("GET /v1/streams?namespace=n&limit=1000&after=n%2Fa", 200, streams("n/b\\u001b[31m", "null"));

        // when
        CommandRun run = api.run("stream", "list", "--namespace", "n", "--all");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("STREAM", "n/a", "1,234", "2.0 KiB", "n/b\\u001b[31m")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldPrintChangesHeldBackBesideThePolicies() {
        // given
        api.answer("GET /v1/policies", new PolicyRecordView.All(-1, List.of()));
        api.answer(
                "GET /v1/policies/waiting",
                new WaitingPolicyView.All(List.of(waiting("namespace:n", 7, null), waiting("namespace:o", 8, null))));

        // when
        CommandRun table = api.run("policy", "list");
        CommandRun json = api.run("policy", "list", "-o", "json");

        // then
        assertThat(table.exitCode()).isZero();
        assertThat(table.err().lines())
                .containsExactly(
                        "No policy is set; --built-in shows the built-in ones.",
                        "namespace:n and 1 more of its file is held back; 'ebb policy confirm --list' shows why.");
        assertThat(json.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{\"holds\":7}"})
    void shouldSayThatAnAnswerIsOfAnotherForm(String answer) {
        // given
        api.answer("GET /v1/holds", 200, answer);

        // when
        CommandRun run = api.run("hold", "list");

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("does not have the expected form", "another version");
    }

    /** A record of change 7, which waits. */
    private static WaitingPolicyView waiting(String key, long version, @Nullable Long wouldDelete) {
        Instant since = Instant.parse("2026-11-01T10:00:00Z");
        return new WaitingPolicyView(key, version, 7, "", since, "so it is", wouldDelete, false, null);
    }

    @Test
    void shouldSayThatMoreFollow() {
        // given
        api.answer("GET /v1/streams?limit=1", 200, streams("n/a", "\"n/a\""));

        // when
        CommandRun run = api.run("stream", "list", "--limit", "1");

        // then
        assertThat(run.err()).contains("--after n/a");
    }

    @ParameterizedTest
    @CsvSource({
        "a/b..c, /v1/streams/a%2Fb%2E%2Ec",
        ".., /v1/streams/~%2E%2E",
        "a b+c?d#e%f, /v1/streams/a%20b%2Bc%3Fd%23e%25f",
        "\uD83D\uDE00, /v1/streams/%F0%9F%98%80"
    })
    void shouldEncodeNamesInPaths(String name, String path) {
        // when
        api.run("stream", "describe", name);

        // then
        assertThat(api.requests()).extracting(FakeApi.Request::uri).containsExactly(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream describe", "event list", "explain", "sweep show", "audit show"})
    void shouldNotAskForTheListWhenANameIsEmpty(String command) {
        // when
        CommandRun run = api.run((command + " ").split(" ", -1));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("a name is empty");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    @Tag("M-17")
    void shouldAskForExpiredEventsOnlyWhenTold() {
        // given
        EventRow expired = new EventRow("s", "e", "", null, Instant.EPOCH, Instant.EPOCH, 9, true, null, "goes");
        api.answer("GET /v1/streams/s/events?limit=100", events(null));
        api.answer(
                "GET /v1/streams/s/events?status=&include-expired=true&limit=100",
                new EventRow.Page(List.of(expired), null));

        // then
        assertThat(api.run("event", "list", "s").out()).doesNotContain("expired");
        assertThat(api.run("event", "list", "s", "--status", "", "--include-expired")
                        .out())
                .contains("expired");
    }

    /** A page may be short, or empty, although more pages follow. */
    @Test
    void shouldFollowShortPagesUpToTheLimit() {
        // given
        String path = "GET /v1/streams/s/events?status=read";
        api.answer(path + "&limit=2", events("c1"));
        api.answer(path + "&limit=2&after=c1", events("c2", "e1"));
        api.answer(path + "&limit=1&after=c2", events("c3"));
        api.answer(path + "&limit=1&after=c3", events("c4", "e2"));

        // when
        CommandRun run = api.run("event", "list", "s", "--status", "read", "--limit", "2");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("e1", "e2");
        assertThat(run.err()).contains("--after c4");
    }

    private static EventRow.Page events(@Nullable String next, String... ids) {
        List<EventRow> events = Stream.of(ids)
                .map(id -> new EventRow("s", id, "", "read", Instant.EPOCH, Instant.EPOCH, 9, false, null, "never"))
                .toList();
        return new EventRow.Page(events, next);
    }

    @Test
    void shouldUpdateEvent() {
        // given
        api.answer("PATCH /v1/streams/s/events/e", 202, "{\"stream\":\"s\",\"sent\":[\"e\"]}");

        // when
        api.run(
                "event",
                "update",
                "s",
                "e",
                "--status",
                "done",
                "--ttl",
                "15m",
                "--completed-at",
                "1764300000s",
                "--metadata",
                "k=v",
                "--metadata",
                "\"a=b\"=c=d");
        api.run("event", "update", "s", "e", "--expires-at", "2026-01-01T00:00:00Z");
        api.run("event", "update", "s", "e", "--infinite");
        api.run("event", "update", "s", "e", "--inherit");

        // then
        assertThat(api.requests())
                .extracting(FakeApi.Request::body)
                .containsExactly(
                        "{\"status\":\"done\",\"completedAt\":1764300000000,\"ttlSeconds\":900,\"metadata\":{\"k\":\"v\",\"a=b\":\"c=d\"}}",
                        "{\"expiresAt\":1767225600000}",
                        "{\"noExpiration\":true}",
                        "{\"noExpiration\":false}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "event get s BAD",
                "event get BAD e",
                "event update s BAD --status done",
                "event update BAD e --status done",
                "event set-ttl s BAD --ttl 1d",
                "event delete BAD e --reason r --yes"
            })
    void shouldRefuseNamesThatNoEventHas(String command) {
        // when
        CommandRun run = api.run(command.replace("BAD", "a\u0007").split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("is not a valid name: it must not contain control characters");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldPrintTheSameInEveryFormat() {
        // given
        api.answer(
                "GET /v1/policies/namespace:n",
                new PolicyRecordView(
                        "namespace:n",
                        Json.object().put("maxAge", "30d").put("reason", "1"),
                        3L,
                        Instant.parse("2026-11-28T09:30:00Z"),
                        false,
                        null));

        // then
        assertThat(api.run("policy", "get", "namespace:n").out())
                .contains("maxAge", "30d")
                .containsPattern("(?m)^since +2026-11-28T09:30:00Z$");
        assertThat(api.run("policy", "get", "namespace:n", "-o", "yaml").out())
                .isEqualTo("scope: namespace:n\npolicy:\n  maxAge: 30d\n  reason: \"1\"\nversion: 3\n"
                        + "since: \"2026-11-28T09:30:00.000Z\"\nbuiltIn: false\n");
        assertThat(api.run("policy", "get", "namespace:n", "-o", "JSON").out()).contains("\"maxAge\" : \"30d\"");
    }

    @Test
    @Tag("O-17")
    void shouldNameMissingInstancesAndStalePartitions() {
        // given
        api.answer(
                "GET /v1/streams?stale=true&limit=100",
                200,
                "{\"streams\":[{\"stream\":\"a\"}],\"next\":null,"
                        + "\"unanswered\":[{\"instance\":\"j:1\",\"partitions\":[0,2],\"reason\":\"it is gone\"}],"
                        + "\"stale\":[{\"partition\":1,\"instance\":\"k:1\",\"lagRecords\":17}]}");
        api.answer("GET /v1/streams?limit=100", 200, "{\"streams\":[],\"next\":null,\"unanswered\":[]}");

        // when
        CommandRun run = api.run("stream", "list", "--stale");

        // then
        assertThat(run.err())
                .contains("Not exact: the instance at j:1, which keeps partitions 0, 2, did not answer: it is gone")
                .contains("Old: a copy of partition 1 answered, at k:1, 17 records behind");
        assertThat(api.run("stream", "list", "--stale", "-o", "json").out()).contains("\"unanswered\"", "17");
        assertThat(api.run("stream", "list").err()).isEmpty();
    }

    @Test
    void shouldNameTheAddressWhenNoInstanceAnswers() {
        // when
        CommandRun run = CommandRun.of("status", "--api", "http://127.0.0.1:1/");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("http://127.0.0.1:1", "--api", "ebb dev").doesNotContain("\tat ");
    }

    @Test
    void shouldSayThatTheHostIsNotKnown() {
        // when: no name server knows that domain (RFC 6761)
        CommandRun run = CommandRun.of("status", "--api", "https://nohost.invalid:8480");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .contains("the host 'nohost.invalid'", "is unknown", "--api")
                .doesNotContain("ebb dev");
    }

    @Test
    void shouldTakeAddressFromSettings() {
        // when
        CommandRun run = CommandRun.of("status", "--set", "api.listen=127.0.0.1:2");

        // then
        assertThat(run.err()).contains("http://127.0.0.1:2");
    }

    @Test
    void shouldTellRefusalsFromAnswersOfOthers() {
        // given
        api.answer("GET /v1/instances", 503, "{\"detail\":\"partition 1 restores\"}");

        // then
        assertThat(api.run("status").exitCode()).isEqualTo(4);
        assertThat(api.answer("GET /v1/instances", 200, "<html>").run("status").err())
                .contains("does not answer like Ebb");
    }

    @Test
    void shouldShowStackTraceOnlyForDebug() {
        // then
        assertThat(CommandRun.of("status", "--api", "http://127.0.0.1:1", "--debug")
                        .err())
                .contains("\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy set galaxy:x --max-age 1d | galaxy:x",
                "policy set namespace:a/b --max-age 1d | stream:a/b",
                "policy set namespace:x | --max-age",
                "policy set | SCOPE",
                "policy apply | --file",
                "policy apply -f /no/such/file.yaml | does not exist",
                "policy apply -f /tmp | is a folder",
                "stream list --limit 0 | --limit",
                "stream list --limit many | is not a whole number",
                "stream list --limit 2147483648 | at most 2147483647",
                "purge --limit 9223372036854775808 --dry-run | at most 9223372036854775807",
                "stream describe | STREAM",
                "event update s e | --status",
                "event update s e --ttl 1500ms | whole seconds",
                "event update s e --ttl soon | is not a duration",
                "event update s e --ttl 1d --infinite | mutually exclusive",
                "event list s -o xml | xml",
                "status --api nonsense | --api",
                "status --config /no/such/file | cannot read",
                "status --set colour=red | colour",
                "produce | --file",
                "produce -f /no/such/file | does not exist",
                "completion tcsh | tcsh",
                "topics check --set topics.partitions=0 | topics.partitions"
            })
    void shouldRefuseNonsenseWithOneUsefulMessage(String command, String message) {
        // when
        CommandRun run = CommandRun.of(command.split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatNothingWasSentOfAFileThatBreaksOffAtOnce() throws IOException {
        // given
        Path file = Files.write(folder.resolve("e.jsonl.gz"), new byte[] {0x1F, (byte) 0x8B, 8, 0});

        // when
        CommandRun run = CommandRun.of("produce", "-f", file.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("e.jsonl.gz", "the compressed data breaks off", "nothing was sent")
                .doesNotContain("--debug");
    }

    private static String streams(String name, String next) {
        return "{\"streams\":[{\"stream\":\"" + name + "\",\"events\":1234,\"bytes\":2048}],\"next\":" + next + "}";
    }

    @Test
    void shouldSayThatAFileOfPoliciesIsNotText() throws IOException {
        // given
        Path file = Files.write(folder.resolve("p.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});

        // when
        CommandRun run = api.run("policy", "apply", "-f", file.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("it is not UTF-8");
    }

    @Test
    void shouldNameTheFaultOfTheBrokersAddress() {
        // when
        CommandRun run = CommandRun.of("topics", "check", "--set", "bootstrap.servers=rubbish");

        // then
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("Invalid url in bootstrap.servers: rubbish");
    }

    @Test
    void shouldEndDescriptionsInListsOfCommands() {
        assertThat(CommandRun.of("policy", "--help").out()).contains("plan").doesNotContain("nothing:");
    }
}
