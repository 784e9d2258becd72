package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.model.CollidingNames;
import dev.ebb.port.EventQueries;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-17")
class ApiServerTest {

    private static final String JSON = "application/json";
    private static final String EVENTS = "/v1/streams/orders%2Feu-1/events";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @Test
    void shouldListStreamsPageByPage() {
        // given
        ports.store("a", "1", false).store("b", "1", false).store("c", "1", false);

        // when
        Answer first = client.get("/v1/streams?limit=2");
        Answer second = client.get(
                "/v1/streams?limit=2&after=" + first.json().path("next").asText());

        // then
        assertThat(first.json().path("streams").findValuesAsText("stream")).containsExactly("a", "b");
        assertThat(second.json().path("streams").findValuesAsText("stream")).containsExactly("c");
        assertThat(second.json().path("next").isNull()).isTrue();
    }

    @Test
    void shouldHandFiltersOfStreamsOn() {
        // when
        client.get("/v1/streams?namespace=kafka&prefix=kafka%2Fc&after=kafka%2Fb&limit=7");

        // then
        assertThat(ports.streamQueries).contains(new EventQueries.StreamQuery("kafka/c", "kafka", "kafka/b", 7));
    }

    @Test
    void shouldDescribeStreamWithPolicyAndItsSources() {
        // given
        ports.store("orders/eu-1", "1", false);
        ports.policy(
                RetentionPolicy.of(Scope.namespace("orders"))
                        .maxCount(Limit.of(5))
                        .build(),
                3);

        // when
        Answer answer = client.get("/v1/streams/orders%2Feu-1");

        // then
        assertThat(answer.json().at("/usage/oldest").asText()).isEqualTo("2026-11-01T10:00:00.500Z");
        assertThat(answer.json().at("/policy/maxCount").toString())
                .isEqualTo("{\"value\":5,\"scope\":\"namespace:orders\",\"version\":3}");
        assertThat(answer.json().at("/policy/maxAge").toString())
                .isEqualTo("{\"value\":\"30d\",\"scope\":\"*\",\"version\":null}");
    }

    @Test
    void shouldTellPolicyOfStreamThatDoesNotExistYet() {
        assertThat(client.get("/v1/streams/new/policy")
                        .json()
                        .at("/maxBytes/value")
                        .asText())
                .isEqualTo("unlimited");
    }

    @Test
    @Tag("M-17")
    void shouldNotShowExpiredEventsUnlessAskedFor() {
        // given
        ports.store("orders/eu-1", "dead", true).store("orders/eu-1", "alive", false);

        // when
        Answer list = client.get(EVENTS);
        Answer all = client.get(EVENTS + "?include-expired=true");

        // then
        assertThat(list.json().path("events").findValuesAsText("id")).containsExactly("alive");
        assertThat(all.json().path("events").findValuesAsText("id")).containsExactly("dead", "alive");
        assertThat(client.get(EVENTS + "/dead").status()).isEqualTo(404);
        assertThat(client.get(EVENTS + "/dead?include-expired").status()).isEqualTo(200);
    }

    @Test
    void shouldHandFiltersOfEventsOn() {
        // given
        ports.store("orders/eu-1", "1", false);

        // when
        client.get(EVENTS + "?status=&limit=3&after=0&expiring-within=24h");

        // then
        assertThat(ports.lastEventQuery).isEqualTo(new EventQueries.EventQuery(false, "", 86_400_000L, null, "0", 3));
    }

    @Test
    void shouldShowPayloadsAsTheyWereSent() {
        // given
        ports.store("s", "json", "application/json", "{\"b\":1.10,\"a\":[1e5]}".getBytes(UTF_8), false)
                .store("s", "text", "text/plain", "caf\u00e9 \u001b".getBytes(UTF_8), false)
                .store("s", "bytes", null, new byte[] {(byte) 0xff, 0}, false);

        // then
        assertThat(client.get("/v1/streams/s/events/json").response().body())
                .contains("\"payload\":{\"b\":1.10,\"a\":[1e5]}");
        assertThat(client.get("/v1/streams/s/events/text")
                        .json()
                        .path("payload")
                        .asText())
                .isEqualTo("caf\u00e9 \u001b");
        assertThat(client.get("/v1/streams/s/events/bytes")
                        .json()
                        .path("payloadBase64")
                        .asText())
                .isEqualTo("/wA=");
    }

    @Test
    void shouldSendOneEvent() {
        // when
        Answer answer = client.send(
                "POST", EVENTS, JSON, "{\"id\":\"e-1\",\"type\":\"t\",\"payload\":{\"n\":1.10},\"ttlSeconds\":60}");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(ports.written).singleElement().satisfies(event -> {
            assertThat(event.stream()).isEqualTo(new StreamName("orders/eu-1"));
            assertThat(new String(event.payload(), UTF_8)).isEqualTo("{\"n\":1.10}");
            assertThat(event.ttl()).isEqualTo(OwnTtl.of(60L, null, false));
        });
    }

    @Test
    void shouldSendAllEventsOfAnArrayInOrder() {
        // when
        Answer answer =
                client.send("POST", EVENTS, JSON, " [ {\"id\":\"2\"} , {\"stream\":\"orders/eu-1\", \"id\":\"1\"}]");

        // then
        assertThat(answer.json().path("sent").toString()).isEqualTo("[\"2\",\"1\"]");
        assertThat(ports.written).extracting(event -> event.id().value()).containsExactly("2", "1");
    }

    @Test
    void shouldSendExecutionsAmongEvents() {
        // when
        Answer answer = client.send(
                "POST", EVENTS, JSON, "[{\"execution\":2,\"status\":\"running\",\"parent\":\"p\"},{\"id\":\"1\"}]");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(answer.response().body())
                .isEqualTo("{\"stream\":\"orders/eu-1\",\"sent\":[\"1\"],\"executions\":[2]}");
        assertThat(ports.executions)
                .containsExactly(new ExecutionUpdate(
                        new StreamName("orders/eu-1"), 2, "running", new StreamName("p"), null, null));
    }

    @Test
    void shouldNameEveryFaultOfExecutionsAndSendNone() {
        // when
        Answer answer = client.send(
                "POST",
                EVENTS,
                JSON,
                "[{\"execution\":-1},{\"execution\":1,\"startedAt\":-1},{\"execution\":1,\"parent\":\" p\"},"
                        + "{\"execution\":1,\"payload\":{}},{\"stream\":\"other\",\"execution\":1},{\"execution\":1}]");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems").findValuesAsText("where"))
                .containsExactly("event 1", "event 2", "event 3", "event 4", "event 5");
        assertThat(answer.response().body()).contains("at least 0", "startedAt", "blank", "payload", "other");
        assertThat(ports.executions).isEmpty();
    }

    @Test
    void shouldNameEveryFaultOfEventsAndSendNone() {
        // when
        Answer answer = client.send(
                "POST",
                EVENTS,
                JSON,
                "[{\"id\":\"1\"},{\"id\":\"2\",\"colour\":1},{},{\"stream\":\"other\",\"id\":\"3\"},"
                        + "{\"id\":\"4\",\"occurredAt\":-1},{\"id\":\"5\",\"update\":true}]");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems").findValuesAsText("where"))
                .containsExactly("event 2", "event 3", "event 4", "event 5", "event 6");
        assertThat(answer.response().body())
                .contains("colour", "names no id", "other", "1969-12-31, before 1971", "PATCH");
        assertThat(ports.written).isEmpty();
    }

    @Test
    @Tag("M-10")
    void shouldRefuseLifetimesThatThePolicyDoesNotAllow() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.ALL)
                        .set(PolicyField.MIN_TTL, Limit.of(10_000))
                        .set(PolicyField.MAX_TTL, Limit.of(60_000))
                        .build(),
                1);

        // when
        Answer answer = client.send(
                "POST",
                EVENTS,
                JSON,
                "[{\"id\":\"1\",\"noExpiration\":true},{\"id\":\"2\",\"ttlSeconds\":9},{\"id\":\"3\",\"ttlSeconds\":61},"
                        + "{\"id\":\"4\",\"ttlSeconds\":10},{\"id\":\"5\",\"ttlSeconds\":60}]");

        // then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("problems").findValuesAsText("where"))
                .containsExactly("event 1", "event 2", "event 3");
        assertThat(ports.written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "[", "5", "[5]", "[]", "{\"id\":\"1\"} {}", "\"text\"", "null"})
    void shouldRefuseBodiesThatAreNoEvents(String body) {
        // when
        Answer answer = client.send("POST", EVENTS, JSON, body);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @CsvSource({"99999, 202", "100000, 202", "100001, 413"})
    @Tag("O-20")
    void shouldTakeSoManyEventsAtOnceAndNoMore(int events, int status) {
        try (ApiServer roomy = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0))) {
            roomy.start();

            // when
            Answer answer = new ApiClient(roomy.port())
                    .send("POST", EVENTS, JSON, "[" + "{\"id\":\"1\"},".repeat(events - 1) + "{\"id\":\"1\"}]");

            // then
            assertThat(answer.status()).as(answer.mediaType()).isEqualTo(status);
            assertThat(ports.written).hasSize(status == 202 ? events : 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"999, 999", "1000, 1000", "1001, 1001", "5000, 1001"})
    @Tag("O-20")
    void shouldNameAThousandFaultsOfEventsAndThatThereMayBeMore(int faults, int named) {
        try (ApiServer roomy = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0))) {
            roomy.start();

            // when
            Answer answer =
                    new ApiClient(roomy.port()).send("POST", EVENTS, JSON, "[" + "{},".repeat(faults - 1) + "{}]");

            // then
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().path("problems")).hasSize(named);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 202", "1001, 400", "30000, 400"})
    @Tag("O-20")
    void shouldRefuseMoreMetadataThanAnEventMayHave(int names, int status) {
        // given
        ports.store("orders/eu-1", "1", false);
        try (ApiServer roomy = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0))) {
            roomy.start();
            ApiClient there = new ApiClient(roomy.port());
            String metadata = CollidingNames.json(CollidingNames.forJackson(names));

            // when
            Answer posted = there.send("POST", EVENTS, JSON, "{\"id\":\"1\",\"metadata\":" + metadata + "}");
            Answer patched = there.send("PATCH", EVENTS + "/1", JSON, "{\"metadata\":" + metadata + "}");

            // then
            assertThat(posted.status()).as(posted.response().body()).isEqualTo(status);
            assertThat(patched.status()).as(patched.response().body()).isEqualTo(status);
            assertThat(ports.written).hasSize(status == 202 ? 1 : 0);
            if (status == 400) {
                assertThat(posted.response().body()).contains("at most 1000 names, had " + names);
            }
        }
    }

    @Test
    void shouldChangeOnlyTheFieldsThatAnUpdateNames() {
        // given
        ports.store("orders/eu-1", "e-1", false);

        // when
        Answer answer = client.send("PATCH", EVENTS + "/e-1", JSON, "{\"status\":\"done\",\"noExpiration\":false}");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(ports.updates).singleElement().satisfies(update -> {
            assertThat(update.status()).isEqualTo("done");
            assertThat(update.ttl()).isEqualTo(OwnTtl.NONE);
            assertThat(update.metadata()).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "missing|{\"status\":\"done\"}|404",
                "dead|{\"status\":\"done\"}|404",
                "alive|{}|400",
                "alive|[]|400",
                "alive|{\"payload\":\"x\"}|400",
                "alive|{\"id\":\"other\",\"status\":\"x\"}|400",
                "alive|{\"stream\":\"other\",\"status\":\"x\"}|400",
                "alive|{\"noExpiration\":true}|422",
                "alive|{\"noExpiration\":true,\"ttlSeconds\":5}|400",
                "alive|{\"completedAt\":-5}|400"
            })
    void shouldRefuseUpdatesThatMakeNoSense(String id, String body, int status) {
        // given
        ports.store("orders/eu-1", "dead", true).store("orders/eu-1", "alive", false);

        // when
        Answer answer = client.send("PATCH", EVENTS + "/" + id, JSON, body);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(ports.updates).isEmpty();
    }

    @Test
    void shouldListPoliciesWidestFirst() {
        // given
        ports.policy(RetentionPolicy.of(Scope.stream("s")).maxCount(Limit.of(1)).build(), 5);
        ports.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build(), 6);

        // when
        Answer set = client.get("/v1/policies");
        Answer all = client.get("/v1/policies?built-in=true");

        // then
        assertThat(set.json().path("policies").findValuesAsText("version")).containsExactly("6", "5");
        assertThat(set.json().at("/policies/0/policy/maxAge").asText()).isEqualTo("unlimited");
        assertThat(all.json().path("policies").size()).isEqualTo(2 + 8);
    }

    @Test
    void shouldGetPolicyInForceOrElseTheBuiltInOne() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.namespace("n")).maxCount(Limit.of(1)).build(), 5);

        // then
        JsonNode set = client.get("/v1/policies/namespace:n").json();
        assertThat(set.path("version").asInt()).isEqualTo(5);
        assertThat(set.path("since").asText()).isEqualTo("2026-11-01T10:00:00.500Z");
        JsonNode builtIn = client.get("/v1/policies/*").json();
        assertThat(builtIn.path("builtIn").asBoolean()).isTrue();
        assertThat(builtIn.has("since")).isFalse();
        assertThat(client.get("/v1/policies/namespace:other").status()).isEqualTo(404);
        assertThat(client.get("/v1/policies/galaxy:other").status()).isEqualTo(400);
    }

    @Test
    void shouldPutPolicyAndTellItsVersion() {
        // when
        Answer answer = client.send("PUT", "/v1/policies/stream:a%2Fb", JSON, "{\"maxAge\":\"15m\"}");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().path("version").asLong()).isEqualTo(8);
        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.policies())
                .containsExactly(RetentionPolicy.of(Scope.stream("a/b"))
                        .maxAge(Limit.of(900_000))
                        .build()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"policies/namespace:n", "holds/c"})
    @Tag("M-11")
    void shouldRefuseABodyOfWhichAValueWouldBeLost(String path) {
        // when
        Answer answer = client.send("PUT", "/v1/" + path, JSON, "{\"reason\":\"a\",\"reason\":\"b\"}");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("detail").asText())
                .isEqualTo("the body names a field twice: Duplicate field 'reason'");
        assertThat(ports.changes).isEmpty();
    }

    @Test
    void shouldSayWhenPolicyIsNotInForceYet() {
        // given
        ports.takesEffect = false;

        // when
        Answer answer = client.send("PUT", "/v1/policies/*", JSON, "{\"maxAge\":\"15m\"}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("inForce").asBoolean()).isFalse();
    }

    @Test
    @Tag("M-11")
    void shouldNameEveryFaultOfAPolicy() {
        // when
        Answer answer = client.send(
                "PUT",
                "/v1/policies/namespace:n",
                JSON,
                "{\"maxAge\":\"-1d\",\"maxCount\":0,\"colour\":\"red\",\"minTtl\":\"2d\",\"maxTtl\":\"1d\"}");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems").findValuesAsText("where")).contains("maxAge", "maxCount", "colour");
        assertThat(ports.changes).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldApplyFileAllAtOnceAndPruneTheRest() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.namespace("old")).maxCount(Limit.of(1)).build(), 5);
        ports.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build(), 6);

        // when
        Answer answer = client.send(
                "POST",
                "/v1/policies:apply?prune=true",
                "application/yaml",
                "policies:\n  - scope: \"*\"\n    maxAge: 30d\n  - scope: namespace:kafka\n    maxCount: 500\n");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.changes).singleElement().satisfies(change -> {
            assertThat(change.policies())
                    .extracting(policy -> policy.scope().toString())
                    .containsExactly("*", "namespace:kafka");
            assertThat(change.removals()).containsExactly(PolicyKey.of(Scope.namespace("old")));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PUT  | /v1/policies/namespace:n    | application/json | {"maxAge":"-1d"}
        PUT  | /v1/holds/c-1               | application/json | {"covers":"*"}
        POST | /v1/policies:apply          | application/yaml | policies: [{scope: "*", maxAge: -1d}]
        POST | /v1/policies:apply          | application/yaml | policies: [
        POST | /v1/policies/diff           | application/yaml | policies: [{scope: "*", maxAge: -1d}]
        POST | /v1/sweeps?dryRun=true      | application/json | {"scope":"*","policies":"policies: [{scope: '*', maxAge: -1d}]"}
        POST | /v1/streams/orders%2Feu/prune | application/json | {"keepLast":-1}
        """)
    @Tag("M-11")
    void shouldAnswerAlikeWhereverABodyMakesNoSense(String method, String path, String mediaType, String body) {
        // when
        Answer answer = client.send(method, path, mediaType, body);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.json().path("problems")).isNotEmpty();
        assertThat(ports.changes).isEmpty();
    }

    @Test
    @Tag("M-7")
    void shouldWarnOfAPatternThatIsNotThere() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.pattern("mine")).maxCount(Limit.of(1)).build(), 5);
        String file = "policies:\n"
                + "  - {scope: namespace:a, pattern: cashe}\n"
                + "  - {scope: namespace:b, pattern: cache}\n"
                + "  - {scope: namespace:c, pattern: mine}\n"
                + "  - {scope: namespace:d, pattern: new}\n"
                + "  - {scope: pattern:new, maxAge: 1d}\n";

        // when
        Answer set = client.send("PUT", "/v1/policies/namespace:n", JSON, "{\"pattern\":\"cashe\"}");
        Answer diff = client.send("POST", "/v1/policies/diff", "application/yaml", file);
        Answer applied = client.send("POST", "/v1/policies:apply", "application/yaml", file);

        // then
        assertThat(set.status()).isEqualTo(200);
        assertThat(set.json().at("/warnings/0/where").asText()).isEqualTo("pattern of namespace:n");
        assertThat(set.json().at("/warnings/0/message").asText())
                .contains("pattern:cashe", "cache, graph, keyvalue, mine, object");
        for (Answer answer : List.of(diff, applied)) {
            assertThat(answer.json().path("warnings").findValuesAsText("where"))
                    .containsExactly("pattern of namespace:a");
        }
    }

    @Test
    @Tag("O-23")
    void shouldWarnOfAPatternThatNoNamespaceNames() {
        // given
        String used = "policies:\n"
                + "  - {scope: namespace:d, pattern: mine}\n"
                + "  - {scope: pattern:mine, maxAge: 1d}\n"
                + "  - {scope: pattern:cache, maxAge: 1d}\n";

        // when
        Answer unused = client.send("PUT", "/v1/policies/pattern:sesion", JSON, "{\"maxAge\":\"1d\"}");
        Answer named = client.send("POST", "/v1/policies:apply", "application/yaml", used);

        // then
        assertThat(unused.status()).isEqualTo(200);
        assertThat(unused.json().at("/warnings/0/message").asText())
                .isEqualTo(
                        "no namespace names this pattern yet, so it covers nothing; the nearest pattern is 'session'");
        assertThat(named.status()).isEqualTo(200);
        assertThat(named.json().has("warnings")).isFalse();
    }

    /** The other value may have been meant, and would delete other streams. */
    @Test
    @Tag("O-22")
    void shouldRefuseACommandThatNamesAFieldTwice() {
        // when
        Answer answer = client.send("POST", "/v1/purge", JSON, "{\"namespace\":\"a\",\"namespace\":\"b\"}");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("detail").asText())
                .isEqualTo("the body names a field twice: Duplicate field 'namespace'");
        assertThat(ports.commands.submitted).isEmpty();
    }

    @Test
    @Tag("O-22")
    void shouldTakeABodyThatBeginsWithAByteOrderMark() {
        // when
        Answer set = client.send("PUT", "/v1/policies/namespace:n", JSON, "\uFEFF{\"maxAge\":\"1d\"}");
        Answer sent = client.send("POST", "/v1/streams/n%2F1/events", JSON, "\uFEFF{\"id\":\"a\"}");

        // then
        assertThat(set.status()).as(set.response().body()).isEqualTo(200);
        assertThat(sent.status()).as(sent.response().body()).isEqualTo(202);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":\"a\",\"id\":\"b\"} | it names id twice",
                "{\"id\":\"a\",\"stream\":\"n/1\",\"stream\":\"n/1\"} | it names stream twice",
                "{\"id\":\"a\",\"occurredAt\":1.5e12} | occurredAt must be whole epoch milliseconds or a time such as",
                "{\"id\":\"a\",\"occurredAt\":\"1764300000\"} | occurredAt must be whole epoch milliseconds or a time such as"
                        + " 2026-01-31T09:00:00Z: '1764300000' has no unit; write epoch as 1764300000s"
            })
    @Tag("O-22")
    void shouldRefuseAnEventThatIsNotClear(String event, String message) {
        Answer answer = client.send("POST", "/v1/streams/n%2F1/events", JSON, event);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/problems/0/message").asText()).startsWith(message);
        assertThat(answer.json().at("/problems/0/message").asText()).doesNotContain("ago");
    }

    @Test
    void shouldRefuseWholeFileForOneFault() {
        // when
        Answer answer = client.send(
                "POST",
                "/v1/policies:apply",
                "application/yaml",
                "policies:\n  - scope: \"*\"\n    maxAge: 30d\n  - scope: galaxy:x\n    maxCount: 500\n");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().body()).contains("line 4", "galaxy:x");
        assertThat(ports.changes).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldApplyNothingOfAFileThatIsInForce() {
        // given
        inForce();
        String file = client.get("/v1/policies/export").response().body();

        // when
        Answer diff = client.send("POST", "/v1/policies/diff", JSON, file);
        Answer applied = client.send("POST", "/v1/policies:apply?prune=true&actor=me", JSON, file);

        // then
        assertThat(diff.json().path("equal").asBoolean())
                .as(diff.response().body())
                .isTrue();
        assertThat(applied.status()).isEqualTo(200);
        assertThat(applied.json().path("set")).isEmpty();
        assertThat(ports.changes).isEmpty();
        assertThat(file)
                .doesNotContain("confirmed", "pattern:cache")
                .contains("\"updatedBy\":\"eva\"", "hold \\\"x\\\"");
    }

    @Test
    @Tag("O-13")
    void shouldCompareAFileWithThePoliciesInForce() {
        // given
        inForce();

        // when
        Answer answer = client.send(
                "POST",
                "/v1/policies/diff",
                "application/yaml",
                "policies:\n- scope: '*'\n  maxAge: 30d\n- scope: namespace:new\n  keepLast: 5\n"
                        + "holds:\n- case: c-2\n  covers: '*'\n");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().path("equal").asBoolean()).isFalse();
        assertThat(answer.json().path("differences"))
                .extracting(difference -> difference.path("key").asText() + " "
                        + difference.path("kind").asText())
                .containsExactly(
                        "* CHANGED",
                        "namespace:new ADDED",
                        "hold:c-2 ADDED",
                        "namespace:old MISSING",
                        "hold:c-1 MISSING");
        assertThat(answer.json().path("differences").path(0).path("fields"))
                .hasToString("[{\"field\":\"maxAge\",\"inForce\":\"7d\",\"inFile\":\"30d\"},"
                        + "{\"field\":\"window\",\"inForce\":\"22:00-06:00 UTC\",\"inFile\":null}]");
    }

    @Test
    @Tag("M-18")
    void shouldPlaceAndReleaseHolds() {
        // given
        inForce();

        // when
        Answer placed = client.send(
                "PUT",
                "/v1/holds/c%2F2?anyway",
                JSON,
                "{\"covers\":\"stream:a/b\",\"reason\":\"r\",\"placedBy\":\"me\"}");
        Answer released = client.send("DELETE", "/v1/holds/c-1?actor=me&reason=over", null, "");

        // then
        assertThat(placed.status()).as(placed.response().body()).isEqualTo(200);
        assertThat(placed.json().path("set").path(0).asText()).isEqualTo("hold:c/2");
        assertThat(released.json().path("removed").path(0).asText()).isEqualTo("hold:c-1");
        assertThat(ports.changes.get(0).holds()).containsExactly(new Hold("c/2", Scope.stream("a/b"), "r", "me", 0));
        assertThat(ports.changes.get(1).removals()).containsExactly(PolicyKey.ofHold("c-1"));
        assertThat(ports.changes.get(1).actor()).isEqualTo("me");
        assertThat(ports.changes.get(1).reason()).isEqualTo("over");
    }

    @Test
    @Tag("M-18")
    void shouldShowHoldsAndRefuseInvalidOnes() {
        // given
        inForce();

        // then
        assertThat(client.get("/v1/holds")
                        .json()
                        .path("holds")
                        .path(0)
                        .path("case")
                        .asText())
                .isEqualTo("c-1");
        assertThat(client.get("/v1/holds/c-1").json().path("covers").asText()).isEqualTo("namespace:old");
        assertThat(client.get("/v1/holds/c-2").status()).isEqualTo(404);
        assertThat(client.send("DELETE", "/v1/holds/c-2", null, "").status()).isEqualTo(404);
        assertThat(client.send("PUT", "/v1/holds/c-1", JSON, "{\"covers\":\"*\",\"reason\":\"r\"}")
                        .status())
                .as("only its release ends a hold")
                .isEqualTo(422);
        Answer unexplained = client.send("PUT", "/v1/holds/c-3", JSON, "{\"covers\":\"*\"}");
        assertThat(unexplained.status()).isEqualTo(400);
        assertThat(unexplained.json().path("problems").findValuesAsText("where"))
                .containsExactly("reason");
        Answer bad = client.send("PUT", "/v1/holds/c-3", JSON, "{\"covers\":\"pattern:x\",\"colour\":1}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.json().path("problems").findValuesAsText("where")).containsExactly("colour", "covers");
        assertThat(ports.changes).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldNeverPruneAHold() {
        // given
        inForce();

        // when
        client.send(
                "POST",
                "/v1/policies:apply?prune",
                "application/yaml",
                "policies: [{scope: 'namespace:new', maxAge: 1d}]\n");

        // then
        assertThat(ports.changes.get(0).removals())
                .containsExactlyInAnyOrder(PolicyKey.of(Scope.ALL), PolicyKey.of(Scope.namespace("old")));
    }

    @ParameterizedTest
    @DisplayName("EmptyFileIsBraked")
    @ValueSource(strings = {"policies: []\n", "policies: []\nholds: [{case: c-2, covers: '*', reason: r}]\n"})
    @Tag("T-15")
    void emptyFileIsBraked(String file) {
        // given
        inForce();

        // when
        Answer answer = client.send("POST", "/v1/policies:apply?prune", "application/yaml", file);

        // then: the error names the ways out
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
        assertThat(answer.json().path("detail").asText())
                .contains(
                        "would remove all 2 in force",
                        "leave out prune",
                        "a plan",
                        "ebb policy delete SCOPE --reason …");
        assertThat(ports.changes).isEmpty();

        // when nothing is removed
        Answer kept = client.send("POST", "/v1/policies:apply", "application/yaml", file);

        // then
        assertThat(kept.status()).as(kept.response().body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "policies:\n", "holds: [{case: c-2, covers: '*', reason: r}]\n"})
    @Tag("T-15")
    void shouldTakeNoFileThatLacksTheListOfPolicies(String file) {
        // given
        inForce();

        // when
        Answer answer = client.send("POST", "/v1/policies:apply?prune", "application/yaml", file);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(ports.changes).isEmpty();
    }

    private void inForce() {
        ports.policy(
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(604_800_000))
                        .set(PolicyField.WINDOW, SweepWindow.parse("22:00-06:00 UTC"))
                        .updatedBy("eva")
                        .confirmed(true)
                        .build(),
                5);
        ports.policy(
                RetentionPolicy.of(Scope.namespace("old")).maxCount(Limit.of(1)).build(), 6);
        ports.holds.put("c-1", new Hold("c-1", Scope.namespace("old"), "hold \"x\"", "eva", 1));
    }

    @Test
    void shouldDeletePolicyThatIsThereAndNoOther() {
        // given
        ports.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build(), 6);

        // then
        assertThat(client.send("DELETE", "/v1/policies/namespace:n", null, "").status())
                .isEqualTo(404);
        assertThat(client.send("DELETE", "/v1/policies/*", null, "").status()).isEqualTo(200);
        assertThat(ports.changes)
                .containsExactly(new PolicyBatch(List.of(), List.of(), Set.of(PolicyKey.of(Scope.ALL)), "", ""));
    }

    @Test
    @Tag("O-18")
    void shouldTellHealthWithItsReason() {
        // given
        ports.isUp = false;

        // when
        Answer ready = client.get("/health/ready");

        // then
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.json().path("reason").asText()).isEqualTo("partition 1 restores");
        assertThat(client.get("/health/live").status()).isEqualTo(200);
        assertThat(client.get("/health/started").status()).isEqualTo(503);
    }

    @Test
    void shouldTellStatusAndMetrics() {
        // then
        assertThat(client.get("/v1/status")
                        .json()
                        .at("/partitions/0/lastSweepPoint")
                        .asText())
                .isEqualTo("2026-11-01T10:00:00.500Z");
        assertThat(client.get("/metrics").response().body()).isEqualTo("ebb_up 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/streams", "/v1/streams/s", EVENTS, EVENTS + "/e-1"})
    void shouldNeverSayNotFoundWhileRestoring(String path) {
        // given
        ports.failure = new NotReadyException("partition 1 restores", Duration.ofMillis(1500));

        // when
        Answer answer = client.get(path);

        // then
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.response().headers().firstValue("Retry-After")).hasValue("2");
    }

    @Test
    void shouldTellThatTheBrokerDidNotTakeIt() {
        // given
        ports.failure = new UnavailableException("the broker does not answer", new IllegalStateException());

        // then
        assertThat(client.send("POST", EVENTS, JSON, "{\"id\":\"1\"}").status()).isEqualTo(502);
    }

    @Test
    void shouldHideUnexpectedFailures() {
        // given
        ports.failure = new IllegalStateException("secret");

        // when
        Answer answer = client.get("/v1/streams");

        // then
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.response().body()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/v1/streams?limit=0,400",
        "GET,/v1/streams?limit=1001,400",
        "GET,/v1/streams?limit=many,400",
        "GET,/v1/streams?limit=1&limit=2,400",
        "GET,/v1/streams?colour=red,400",
        "GET,/v1/streams/s?limit=1,400",
        "GET,/v1/streams/none/events?include-expired=maybe,400",
        "GET,/v1/streams/none/events,404",
        "GET,/v1/streams/none,404",
        "GET,/v1/nothing,404",
        "GET,/nothing,404",
        "DELETE,/v1/status,405",
        "POST,/v1/streams,405"
    })
    void shouldRefuseSenselessRequests(String method, String path, int status) {
        // when
        Answer answer = client.send(method, path, null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        assertThat(answer.json().path("detail").asText()).isNotBlank();
    }

    @Test
    void shouldRefuseCursorThatNoPageCameWith() {
        // given
        ports.store("orders/eu-1", "1", false);

        // then
        assertThat(client.get(EVENTS + "?after=nonsense").status()).isEqualTo(400);
    }

    @Test
    void shouldRefuseBodiesThatAreTooBigOrOfAnotherKind() {
        // then
        assertThat(client.send("POST", EVENTS, JSON, "[" + " ".repeat(10_000)).status())
                .isEqualTo(413);
        assertThat(client.send("POST", EVENTS, "text/plain", "{\"id\":\"1\"}").status())
                .isEqualTo(415);
        assertThat(client.send("POST", EVENTS, null, "{\"id\":\"1\"}").status()).isEqualTo(415);
        assertThat(client.send("POST", EVENTS, "application/json; charset=utf-8", "{\"id\":\"1\"}")
                        .status())
                .isEqualTo(202);
    }
}
