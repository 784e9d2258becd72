package dev.ebb.api;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.EventBuilder;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.RejectedRecord.Id;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-17")
class ArchiveApiTest {

    private static final String RESTORE = "/v1/streams/orders%2F1/restore";

    @RegisterExtension
    final FakeApi api = new FakeApi(100_000);

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @Test
    @Tag("O-3")
    void shouldListArchivedEventsWithoutTheirContent() {
        // given
        archive(7, event("orders/1", "a").payload("secret".getBytes(StandardCharsets.UTF_8)));
        archive(8, event("other", "b"));

        // when
        JsonNode first = client.get("/v1/archive?limit=1").json();
        JsonNode orders = client.get("/v1/archive?namespace=orders&cause=max_age&sweep=s-1")
                .json();

        // then
        assertThat(first.path("archived").findValuesAsText("record")).containsExactly("0-7");
        assertThat(first.path("next").asText()).isEqualTo("1");
        assertThat(orders.path("archived")).hasSize(1);
        assertThat(orders.at("/archived/0/cause").asText()).isEqualTo("MAX_AGE");
        assertThat(orders.at("/archived/0/scope").asText()).isEqualTo("*");
        assertThat(orders.at("/archived/0/bytes").asLong()).isPositive();
        assertThat(orders.toString()).doesNotContain("secret", "payload");
    }

    @Test
    @Tag("M-17")
    void shouldForetellTheFateOfEachEventAndSendNothing() {
        // given policies that remove and keep by age, counted from the time of occurrence
        ports.policy(
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(Limit.of(Duration.ofDays(1).toMillis()))
                        .anchor(Anchor.OCCURRED)
                        .build(),
                1);
        long now = System.currentTimeMillis();
        ports.store("orders/1", "there", false).store("orders/1", "expired", true);
        archive(1, event("orders/1", "lives").occurredAt(now - 1000));
        archive(2, event("orders/1", "old").occurredAt(now - Duration.ofDays(2).toMillis()));
        archive(3, event("orders/1", "pending").status("pending").occurredAt(now));
        archive(4, event("orders/1", "there").occurredAt(now));
        archive(5, event("orders/1", "expired").occurredAt(now));
        archive(6, event("orders/1", "of execution").execution(3).occurredAt(now));
        archive(7, event("orders/2", "of another").occurredAt(now));
        archive(8, event("orders/1", "lives").occurredAt(now));

        // when
        JsonNode plan = restore("?dryRun", 1, 2, 3, 4, 5, 6, 7, 8, 99).json();

        // then
        assertThat(plan.path("records").findValuesAsText("outcome"))
                .containsExactly(
                        "LIVES", "DUE", "PROTECTED", "THERE", "LIVES", "PROTECTED", "NOT_FOUND", "THERE", "NOT_FOUND");
        assertThat(plan.at("/records/0/until").asText()).endsWith("Z");
        assertThat(plan.path("sent").asInt()).isZero();
        assertThat(ports.written).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false, lives pending", "true, lives old pending"})
    void shouldSendRestoredEventsInTheOrderOfTheRequest(boolean includeDue, String sent) {
        // given
        Event event = event("orders/1", "lives")
                .occurredAt(5L)
                .completedAt(6L)
                .ttlSeconds(3600)
                .payloadBytes(3)
                .build();
        ports.insight.archived.add(record(
                1,
                new ArchivedEvent(
                        new StoredEvent(event, 1000, 0, false), 2000, RemovalCause.TTL, "event", null, "s-1", null)));
        archive(2, event("orders/1", "old").expiresAt(7));
        archive(3, event("orders/1", "pending").status("pending"));

        // when
        Answer answer = client.send(
                "POST",
                RESTORE,
                "application/json",
                "{\"records\":[\"0-1\",\"0-2\",\"0-3\"],\"includeDue\":" + includeDue + "}");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.written.stream().map(one -> one.id().value()).toList()).containsExactly(sent.split(" "));
        assertThat(ports.written.get(0)).isEqualTo(event);
        assertThat(answer.json().path("sent").asInt()).isEqualTo(ports.written.size());
    }

    @Test
    @Tag("M-18")
    void shouldKnowThatAHoldKeepsARestoredEvent() {
        // given
        archive(1, event("orders/1", "old").expiresAt(7));
        ports.holds.put("LIT-1", new Hold("LIT-1", Scope.parse("stream:orders/1"), "r", "who", 1));

        // then
        assertThat(restore("?dryRun", 1).json().at("/records/0/outcome").asText())
                .isEqualTo("LIVES");
    }

    @Test
    @Tag("M-16")
    void shouldKnowThatAPolicyThatWarnsDeletesNothing() {
        // given
        archive(1, event("orders/1", "old").expiresAt(7));
        ports.policy(RetentionPolicy.of(Scope.ALL).mode(PolicyMode.WARN).build(), 1);

        // then
        assertThat(restore("?dryRun", 1).json().at("/records/0/outcome").asText())
                .isEqualTo("LIVES");
    }

    @Test
    @Tag("M-5")
    void shouldKnowThatTheExecutionOfAnEventIsDone() {
        // given
        archive(1, event("orders/1", "e").execution(3));
        ports.store("orders/1", "other", false);
        ports.executions.add(new ExecutionUpdate(
                new StreamName("orders/1"), 3, "completed", null, null, System.currentTimeMillis()));

        // then
        assertThat(restore("?dryRun", 1).json().at("/records/0/outcome").asText())
                .isEqualTo("LIVES");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"records\":[]} | 1 to 500",
                "{} | records",
                "[] | records",
                "{\"records\":\"0-1\"} | records",
                "{\"records\":[\"x\"]} | 0-17",
                "{\"records\":[\"0-1\"],\"nonsense\":1} | nonsense",
                "{\"records\":[\"0-1\"],\"includeDue\":1} | includeDue"
            })
    void shouldRefuseSenselessRequests(String body, String named) {
        // when
        Answer answer = client.send("POST", RESTORE, "application/json", body);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().body()).contains(named);
    }

    @ParameterizedTest
    @CsvSource({"499, 200", "500, 200", "501, 400"})
    void shouldTakeSoManyAtOnce(int records, int status) {
        String named = String.join("\",\"", Collections.nCopies(records, "0-1"));

        assertThat(client.send("POST", RESTORE, "application/json", "{\"records\":[\"" + named + "\"]}")
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"cause=NONE", "limit=0", "from=x", "stream=%00", "nonsense=1"})
    void shouldRefuseAFilterThatMakesNoSense(String query) {
        assertThat(client.get("/v1/archive?" + query).status()).isEqualTo(400);
    }

    private Answer restore(String query, int... offsets) {
        List<String> records = new ArrayList<>();
        for (int offset : offsets) {
            records.add("\"0-" + offset + "\"");
        }
        return client.send("POST", RESTORE + query, "application/json", "{\"records\":" + records + "}");
    }

    private void archive(long offset, EventBuilder event) {
        ports.insight.archived.add(record(
                offset,
                new ArchivedEvent(
                        event.stored(System.currentTimeMillis()), 2000, RemovalCause.MAX_AGE, "*", 1L, "s-1", null)));
    }

    private static ArchivedRecord record(long offset, ArchivedEvent archived) {
        return new ArchivedRecord(new Id(0, offset), archived);
    }
}
