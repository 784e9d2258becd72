package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.StatusView;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.RejectedRecord.Header;
import dev.ebb.port.history.RejectedRecord.Id;
import dev.ebb.port.history.RejectedRecord.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-17")
class InsightApiTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;
    private final FakeInsight insight = ports.insight;

    @Test
    @Tag("O-3")
    void shouldListAuditPageByPageWithoutIds() {
        // given
        insight.audit("a-3", 3000, "orders/1", "MAX_AGE", "x", "y")
                .audit("a-2", 2000, "orders/1", "TTL", "z")
                .audit("a-1", 1000, "other", "MAX_AGE", "w");

        // when
        JsonNode first = client.get("/v1/audit?limit=2").json();
        JsonNode second = client.get(
                        "/v1/audit?limit=2&after=" + first.path("next").asText())
                .json();

        // then
        assertThat(first.path("audit").findValuesAsText("auditId")).containsExactly("a-3", "a-2");
        assertThat(first.at("/audit/0/events").asInt()).isEqualTo(2);
        assertThat(first.at("/audit/0").has("eventIds")).isFalse();
        assertThat(second.path("audit").findValuesAsText("auditId")).containsExactly("a-1");
        assertThat(second.path("next").isNull()).isTrue();
    }

    /** C-5: who changed a policy, and what that deleted. */
    @ParameterizedTest
    @Tag("C-5")
    @CsvSource({
        "action=CHANGE,p-2 p-1",
        "action=POLICY_SET&policy=namespace:users,p-1",
        "policy=*,p-2 a-1",
        "policy=*@7,p-2 a-1",
        "policy=*@7&action=DELETE,a-1",
        "policy=namespace:users@5,p-1",
        "policy=namespace:users@6,''"
    })
    void shouldTellChangesOfAPolicyAndWhatTheyDeleted(String query, String ids) {
        // given
        insight.policySet("p-2", 2500, "*", 7)
                .audit("a-1", 2000, "orders/1", "MAX_AGE", "x")
                .policySet("p-1", 1000, "namespace:users", 5);

        // when
        Answer answer = client.get("/v1/audit?" + query);

        // then
        assertThat(String.join(" ", answer.json().path("audit").findValuesAsText("auditId")))
                .isEqualTo(ids);
    }

    @ParameterizedTest
    @CsvSource({
        "stream=orders%2F1,a-3 a-2",
        "namespace=orders,a-3 a-2",
        "namespace=default,a-1",
        "cause=max_age,a-3 a-1",
        "cause=MAX_AGE&stream=other,a-1",
        "from=1970-01-01T00:00:02Z,a-3 a-2",
        "from=1970-01-01T00:00:01.001Z&to=1970-01-01T00:00:02Z,a-2",
        "to=1970-01-01T00:00:01Z,a-1",
        "actor=nobody,''",
        "sweep=s-1,a-3 a-2 a-1",
        "sweep=s-2,''",
        "event=z,a-2",
        "event=w&stream=orders/1,''",
        "policy=*,a-3 a-2 a-1",
        "policy=*@7&cause=TTL,a-2",
        "policy=*@8,''",
        "policy=namespace:orders,''",
        "action=delete,a-3 a-2 a-1",
        "action=CHANGE,''"
    })
    void shouldFilterAudit(String query, String ids) {
        // given
        insight.audit("a-3", 3000, "orders/1", "MAX_AGE", "x")
                .audit("a-2", 2000, "orders/1", "TTL", "z")
                .audit("a-1", 1000, "other", "MAX_AGE", "w");

        // when
        Answer answer = client.get("/v1/audit?" + query);

        // then
        assertThat(String.join(" ", answer.json().path("audit").findValuesAsText("auditId")))
                .isEqualTo(ids);
    }

    @Test
    @Tag("O-3")
    void shouldShowDeletedEvents() {
        // given
        insight.audit("a/1 \u00e9", 3000, "orders/1", "MAX_AGE", "x", "y");

        // when
        JsonNode entry =
                client.get("/v1/audit/" + ApiClient.segment("a/1 \u00e9")).json();

        // then
        assertThat(entry.path("eventIds").toString()).isEqualTo("[\"x\",\"y\"]");
        assertThat(entry.path("at").asText()).isEqualTo("1970-01-01T00:00:03.000Z");
        assertThat(entry.path("policyVersion").asInt()).isEqualTo(7);
    }

    @Test
    @Tag("O-4")
    void shouldAddSweepsOfOneCommandUp() {
        // given
        insight.report("s-9", "c-1", 1, 2000, 30)
                .report("s-8", "c-1", 0, 1990, 12)
                .report("s-7", null, 0, 1000, 5);

        // when
        JsonNode list = client.get("/v1/sweeps").json();
        JsonNode shown = client.get("/v1/sweeps/c-1").json();

        // then
        assertThat(list.path("sweeps").findValuesAsText("id")).containsExactly("c-1", "s-7");
        JsonNode sum = list.at("/sweeps/0");
        assertThat(sum.path("partitions").toString()).isEqualTo("[0,1]");
        assertThat(sum.path("eventsDeleted").asInt()).isEqualTo(42);
        assertThat(sum.path("bytesDeleted").asInt()).isEqualTo(420);
        assertThat(sum.at("/deleted/MAX_AGE/events").asInt()).isEqualTo(42);
        assertThat(sum.path("protectedEvents").asInt()).isEqualTo(4);
        assertThat(sum.path("heldEvents").asInt()).isEqualTo(2);
        assertThat(sum.path("durationMs").asInt()).isEqualTo(15);
        assertThat(shown.path("sweep")).isEqualTo(sum);
        assertThat(shown.path("byPartition").findValuesAsText("id")).containsExactly("s-8", "s-9");
        assertThat(client.get("/v1/sweeps/s-9")
                        .json()
                        .at("/sweep/eventsDeleted")
                        .asInt())
                .isEqualTo(30);
    }

    @Test
    @Tag("O-20")
    void shouldShowRejectedRecordsWithTheirBytes() {
        // given
        insight.rejected.add(rejected("2-5", "BAD_TTL", "ebb.events", "orders/1".getBytes(UTF_8)));
        insight.rejected.add(rejected("1-9", "UNDECODABLE", "ebb.events", new byte[] {(byte) 0xff}));

        // when
        JsonNode list = client.get("/v1/rejected?reason=bad_ttl").json();
        JsonNode one = client.get("/v1/rejected/1-9").json();

        // then
        assertThat(list.path("rejected").findValuesAsText("id")).containsExactly("2-5");
        assertThat(list.at("/rejected/0/key").asText()).isEqualTo("orders/1");
        assertThat(list.at("/rejected/0").has("valueBase64")).isFalse();
        assertThat(one.path("key").isNull()).isTrue();
        assertThat(one.path("keyBase64").asText()).isEqualTo("/w==");
        assertThat(one.path("valueBase64").asText()).isEqualTo("AQI=");
        assertThat(one.at("/headers/trace").asText()).isEqualTo("t-1");
    }

    @Test
    @Tag("O-20")
    void shouldReplayRecordUntouched() {
        // given
        insight.rejected.add(rejected("2-5", "BAD_TTL", "ebb.events", null));
        insight.rejected.add(rejected("2-6", "BAD_TTL", "", null));

        // when
        Answer answer = client.send("POST", "/v1/rejected/2-5/replay", null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(answer.json().path("topic").asText()).isEqualTo("ebb.events");
        assertThat(insight.replayed).containsExactly(insight.rejected.get(0));
        assertThat(client.send("POST", "/v1/rejected/2-6/replay", null, "").status())
                .isEqualTo(422);
    }

    @Test
    void shouldTellTheContentsOfNamespacesAndComingDeletions() {
        // given
        ports.namespaces.put("orders", new StatusView.NamespaceView(3, 100, 5000, 7, 3, 20));
        long earliestMs = FakePorts.T0.toEpochMilli();
        insight.due.put("orders", new DueSums(new Tally(4, 40), new Tally(9, 90), new Tally(12, 120), earliestMs, 0));
        insight.expired.put("orders", 11L);

        // when
        JsonNode list = client.get("/v1/namespaces").json();
        JsonNode plain = client.get("/v1/namespaces/orders").json();
        JsonNode ttl = client.get("/v1/namespaces/orders?ttl-stats").json().path("ttl");

        // then
        assertThat(list.path("namespaces").findValuesAsText("namespace")).containsExactly("orders");
        assertThat(plain.path("events").asInt()).isEqualTo(100);
        assertThat(plain.has("ttl")).isFalse();
        assertThat(plain.path("expiring"))
                .hasToString("{\"events\":12,\"bytes\":120,\"earliest\":\"2026-11-01T10:00:00.500Z\"}")
                .isEqualTo(list.at("/namespaces/0/expiring"));
        assertThat(ttl)
                .hasToString("{\"ownTtl\":20,\"withoutTtl\":70,\"infinite\":3,\"expiredLastHour\":11,"
                        + "\"expiredExact\":true,\"expiredCountedAt\":\"2026-11-01T10:00:00.501Z\","
                        + "\"dueNextHour\":4,\"bytesDueNextHour\":40,\"dueNextDay\":9,\"bytesDueNextDay\":90,"
                        + "\"exact\":true,\"countedAt\":\"2026-11-01T10:00:00.500Z\"}");

        // An incomplete count of the audit makes itself inexact and nothing else.
        insight.isAuditRead = false;
        JsonNode part = client.get("/v1/namespaces/orders?ttl-stats").json().path("ttl");
        assertThat(part.path("expiredExact").isBoolean()).isTrue();
        assertThat(part.path("expiredExact").asBoolean()).isFalse();
        assertThat(part.path("exact").asBoolean()).isTrue();
    }

    @Test
    @Tag("O-15")
    void shouldExplainStreamThatDoesNotExistYet() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.namespace("orders"))
                        .maxCount(Limit.of(5))
                        .build(),
                3);

        // when
        JsonNode explained = client.get("/v1/streams/orders%2F1/explain").json();

        // then
        assertThat(explained.at("/policy/maxCount/scope").asText()).isEqualTo("namespace:orders");
        assertThat(explained.at("/policy/maxCount/version").asInt()).isEqualTo(3);
        assertThat(explained.at("/policy/mode/value").asText()).isEqualTo("enforce");
        assertThat(explained.at("/policy/window/value").asText()).isEqualTo("none");
        assertThat(explained.has("event")).isFalse();
        assertThat(explained.path("blocks").isEmpty()).isTrue();
    }

    @Test
    @Tag("O-15")
    void shouldExplainEventThatGoes() {
        // given
        ports.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build(), 3);
        insight.standing(stored("e-1"), false);

        // when
        JsonNode event =
                client.get("/v1/streams/orders%2F1/explain?event=e-1").json().path("event");

        // then
        assertThat(event.path("decision").asText()).isEqualTo("REMOVE");
        assertThat(event.path("reason").asText()).isEqualTo("MAX_AGE");
        assertThat(event.path("scope").asText()).isEqualTo("*");
        assertThat(event.path("due").asText()).isEqualTo("2026-11-01T10:00:01.500Z");
    }

    @Test
    @Tag("T-3")
    void shouldTellOfTheNoticeThatBlocksADelete() {
        // given
        ports.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build(), 3);
        insight.standing(stored("e-1"), false);
        insight.noticeUntilMs = Instant.parse("2036-11-01T10:00:00Z").toEpochMilli();

        // when
        JsonNode explained =
                client.get("/v1/streams/orders%2F1/explain?event=e-1").json();

        // then
        assertThat(explained.at("/event/decision").asText()).isEqualTo("KEEP");
        assertThat(explained.at("/event/reason").asText()).isEqualTo("NOTICE");
        assertThat(explained.at("/event/due").asText()).isEqualTo("2036-11-01T10:00:00.000Z");
        assertThat(explained.at("/blocks/0/what").asText()).isEqualTo("NOTICE");
        assertThat(explained.at("/blocks/0/detail").asText()).contains("an undo", "2036-11-01T10:00:00");
    }

    @Test
    @Tag("O-15")
    void shouldNameAllThatBlocksADelete() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(1000))
                        .set(
                                PolicyField.MIN_AGE,
                                Limit.of(Duration.ofDays(36_500).toMillis()))
                        .mode(PolicyMode.WARN)
                        .build(),
                3);
        ports.holds.put("LIT-1", new Hold("LIT-1", Scope.namespace("orders"), "litigation", "anna", 5));
        insight.standing(stored("e-1"), true);

        // when
        JsonNode explained =
                client.get("/v1/streams/orders%2F1/explain?event=e-1").json();

        // then
        assertThat(explained.at("/event/decision").asText()).isEqualTo("KEEP");
        assertThat(explained.at("/event/reason").asText()).isEqualTo("HELD");
        assertThat(explained.path("blocks").findValuesAsText("what")).containsExactly("HOLD", "GUARD", "WARN");
        assertThat(explained.at("/holds/0/caseId").asText()).isEqualTo("LIT-1");
    }

    @Test
    void shouldReportComplianceByNarrowestScope() {
        // given
        ports.store("orders/1", "1", false).store("orders/2", "1", false).store("free", "1", false);
        ports.policy(
                RetentionPolicy.of(Scope.namespace("orders"))
                        .maxCount(Limit.of(5))
                        .build(),
                3);
        ports.policy(
                RetentionPolicy.of(Scope.stream("off"))
                        .maxCount(Limit.of(5))
                        .enabled(false)
                        .build(),
                4);
        ports.holds.put("LIT-1", new Hold("LIT-1", Scope.stream("orders/2"), "", "", 5));
        insight.overdue.put(new StreamName("orders/1"), 4L);
        insight.audit("a-2", 2000, "orders/gone", "TTL", "x", "y").audit("a-1", 1000, "free", "MAX_AGE", "z");

        // when
        JsonNode report = client.get("/v1/reports/compliance?from=1970-01-01T00:00:01.500Z")
                .json();

        // then
        assertThat(report.path("exact").asBoolean()).isTrue();
        assertThat(report.path("scopes")).hasSize(2);
        JsonNode orders = report.at("/scopes/1");
        assertThat(orders.path("scope").asText()).isEqualTo("namespace:orders");
        assertThat(orders.path("streams").asInt()).isEqualTo(2);
        assertThat(orders.path("overdue").asInt()).isEqualTo(4);
        assertThat(orders.path("holds").toString()).isEqualTo("[\"LIT-1\"]");
        assertThat(orders.at("/deleted/TTL/events").asInt()).isEqualTo(2);
        assertThat(orders.path("version").asInt()).isEqualTo(3);
        JsonNode rest = report.at("/scopes/0");
        assertThat(rest.path("version").isNull()).isTrue();
        assertThat(rest.at("/policy/maxAge").asText()).isEqualTo("30d");
        assertThat(rest.path("deleted").isEmpty()).isTrue();
        assertThat(rest.path("oldest").asText()).isEqualTo("2026-11-01T10:00:00.500Z");
    }

    /** C-13: sums of the audit tell deletes by namespace; those of a stream with a policy of its own are looked for. */
    @Test
    @Tag("C-13")
    void shouldReportDeletesFromSumsOfTheAudit() {
        // given
        ports.policy(
                RetentionPolicy.of(Scope.namespace("orders"))
                        .maxAge(Limit.of(1000))
                        .build(),
                3);
        ports.policy(
                RetentionPolicy.of(Scope.stream("orders/1"))
                        .maxAge(Limit.of(1000))
                        .build(),
                4);
        insight.audit("a-1", 2000, "orders/1", "TTL", "x", "y");
        insight.deletions.isComplete = true;
        insight.deletions.deleted.put("orders", Map.of("TTL", new Tally(7, 700), "MAX_AGE", new Tally(3, 300)));
        insight.deletions.deleted.put("users", Map.of("TTL", new Tally(5, 500)));

        // when
        JsonNode report = client.get("/v1/reports/compliance").json();

        // then
        assertThat(report.path("exact").asBoolean()).isTrue();
        assertThat(report.at("/scopes/0/deleted").toString()).isEqualTo("{\"TTL\":{\"events\":5,\"bytes\":500}}");
        assertThat(report.at("/scopes/1/scope").asText()).isEqualTo("namespace:orders");
        assertThat(report.at("/scopes/1/deleted/TTL/events").asInt()).isEqualTo(5);
        assertThat(report.at("/scopes/1/deleted/MAX_AGE/bytes").asInt()).isEqualTo(300);
        assertThat(report.at("/scopes/2/deleted/TTL/events").asInt()).isEqualTo(2);
    }

    /** The range includes both ends: one millisecond before, at and after each. */
    @ParameterizedTest
    @CsvSource({
        "from=1970-01-01T00:00:01.999Z,1",
        "from=1970-01-01T00:00:02Z,1",
        "from=1970-01-01T00:00:02.001Z,0",
        "to=1970-01-01T00:00:01.999Z,0",
        "to=1970-01-01T00:00:02Z,1",
        "to=1970-01-01T00:00:02.001Z,1",
        "from=1970-01-01T00:00:02Z&to=1970-01-01T00:00:02Z,1",
        "from=1970-01-01T00:00:02Z&to=1970-01-01T01:00:02%2B01:00,1"
    })
    void shouldCountDeletionsBetweenTheEndsOfAStretch(String query, int deleted) {
        // given
        insight.audit("a-1", 2000, "orders/1", "TTL", "x");

        // when
        JsonNode report = client.get("/v1/reports/compliance?" + query).json();

        // then
        assertThat(report.at("/scopes/0/deleted/TTL/events").asInt()).isEqualTo(deleted);
    }

    @Test
    @Tag("O-10")
    @Tag("O-15")
    void shouldSayThatEndsWaitForTheirEvents() {
        // given
        JsonNode before = client.get("/v1/streams/s/explain").json();
        insight.waiting.add(1L);

        // when
        JsonNode explained = client.get("/v1/streams/s/explain").json();

        // then
        assertThat(before.has("waiting")).isFalse();
        assertThat(explained.path("waiting").asText()).isEqualTo("an end of execution 1 waits for its events");
    }

    @Test
    @Tag("O-15")
    void shouldTellWhyNothingIsSwept() {
        // given
        insight.sweepProblems.add("the sweeper of partition 0: clock guard");

        // when
        JsonNode block = client.get("/v1/streams/s/explain").json().at("/blocks/0");

        // then
        assertThat(block).hasToString("{\"what\":\"SWEEPER\",\"detail\":\"the sweeper of partition 0: clock guard\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/v1/audit?cause=BOREDOM,400",
        "GET,/v1/audit?from=yesterday,400",
        "GET,/v1/audit?from=-1,400",
        "GET,/v1/audit?from=1970-01-01T00:00:02Z&to=1970-01-01T00:00:01Z,400",
        "GET,/v1/audit?from=99999999999999999999,400",
        "GET,/v1/audit?limit=0,400",
        "GET,/v1/audit?after=nonsense,400",
        "GET,/v1/audit?colour=red,400",
        "GET,/v1/audit/none,404",
        "GET,/v1/audit/%20,400",
        "GET,/v1/sweeps?stream=s,400",
        "GET,/v1/sweeps/none,404",
        "GET,/v1/rejected?reason=BOREDOM,400",
        "GET,/v1/rejected/none,400",
        "GET,/v1/rejected/0-,400",
        "GET,/v1/rejected/-1-5,400",
        "GET,/v1/rejected/99999999999-1,400",
        "GET,/v1/rejected/0-99999999999999999999,400",
        "GET,/v1/rejected/0-17,404",
        "POST,/v1/rejected/0-17/replay,404",
        "GET,/v1/rejected/0-17/replay,405",
        "GET,/v1/namespaces/none,404",
        "GET,/v1/namespaces/..%2F..?ttl-stats=true,404",
        "GET,/v1/namespaces/none?ttl-stats=maybe,400",
        "GET,/v1/streams/s/explain?event=,400",
        "GET,/v1/streams/s/explain?event=none,404",
        "GET,/v1/streams/%00/explain,400",
        "GET,/v1/reports/compliance?scope=s,400",
        "GET,/v1/reports/compliance?from=yesterday,400",
        "GET,/v1/reports/compliance?from=1970-01-01T00:00:02Z&to=1970-01-01T00:00:01.999Z,400",
        "GET,/v1/reports/compliance?to=-1,400",
        "GET,/v1/reports/compliance?from=,400",
        "GET,/v1/reports/compliance?from=1970-01-01T00:00:00.001Z&from=1970-01-01T00:00:00.002Z,400",
        "GET,/v1/reports/compliance?to=99999999999999999999,400",
        "GET,/v1/reports/compliance?from=%00,400",
        "GET,/v1/streams/s/events?expiring-within=,400",
        "GET,/v1/streams/s/events?expiring-within=-1h,400",
        "GET,/v1/streams/s/events?expiring-within=soon,400",
        "GET,/v1/streams/s/events?expiring-within=99999999999999999d,400",
        "GET,/v1/reports/nothing,404"
    })
    void shouldRefuseSenselessRequests(String method, String path, int status) {
        // when
        Answer answer = client.send(method, path, null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        assertThat(answer.json().path("detail").asText()).isNotBlank();
    }

    private StoredEvent stored(String id) {
        ports.store("orders/1", id, false);
        return ports.stored.get(new StreamName("orders/1")).get(0).event();
    }

    @Test
    @Tag("O-20")
    void shouldSayThatAValueWasTooBigToBeKept() {
        // given
        insight.rejected.add(new RejectedRecord(
                new Id(2, 5),
                5000,
                "TOO_BIG",
                "detail",
                "ebb.events",
                1,
                2,
                -1,
                null,
                null,
                List.of(),
                new LeftOut(3_000_000, "ab12", 0, 7)));

        // when
        JsonNode list = client.get("/v1/rejected").json().path("rejected").path(0);
        JsonNode one = client.get("/v1/rejected/2-5").json();

        // then
        for (JsonNode record : List.of(list, one)) {
            assertThat(record.path("bytes").asLong()).isEqualTo(3_000_000);
            assertThat(record.path("leftOut").path("valueSha256").asText()).isEqualTo("ab12");
            assertThat(record.path("leftOut").path("headers").asLong()).isEqualTo(7);
        }
    }

    private static RejectedRecord rejected(String id, String reason, String topic, byte[] key) {
        return new RejectedRecord(
                Id.parse(id),
                5000,
                reason,
                "detail",
                topic,
                1,
                2,
                -1,
                key,
                new byte[] {1, 2},
                List.of(new Header("trace", "t-1".getBytes(UTF_8)), new Header("raw", new byte[] {(byte) 0xff})),
                null);
    }
}
