package dev.ebb.parking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient;
import dev.ebb.api.FakeApi;
import dev.ebb.api.FakePorts;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.ParkedStreamView;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that wait for something are shown, and can be dropped. */
@Tag("O-17")
@Tag("O-20")
class ParkedResourceTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void start() {
        ports.insight.parked.add(stream("b", 2000));
        ports.insight.parked.add(stream("a", 1000));
    }

    @Test
    void shouldShowTheLongestWaitFirst() {
        // when
        var answer = client.get("/v1/parked");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json()).hasToString("""
            {"parked":[{"partition":0,"stream":"a","records":3,"bytes":300,"since":"1970-01-01T00:00:01.000Z",\
            "waitsFor":"schema 7","kind":"schema unusable","problem":"a reference is gone","first":"ebb.events/0/9"},\
            {"partition":0,"stream":"b","records":3,"bytes":300,"since":"1970-01-01T00:00:02.000Z",\
            "waitsFor":"schema 7","kind":"schema unusable","problem":"a reference is gone","first":"ebb.events/0/9"}],\
            "isMore":false}\
            """);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, true", "2, 2, false", "3, 2, false"})
    void shouldTellIfMoreFollow(int limit, int shown, boolean isMore) {
        // when
        var answer = client.get("/v1/parked?limit=" + limit);

        // then
        assertThat(answer.json().path("parked")).hasSize(shown);
        assertThat(answer.json().path("isMore").booleanValue()).isEqualTo(isMore);
    }

    @Test
    void shouldSendTheCommandThatDrops() {
        // when
        client.send(
                "POST",
                "/v1/parked/drop?wait=0s&reason=lost",
                "application/json",
                "{\"stream\":\"orders/1\",\"record\":\"ebb.events/0/9\"}");

        // then
        assertThat(ports.commands.submitted)
                .extracting(request -> request.command())
                .containsExactly(new Command.DropParked(new StreamName("orders/1"), null, "ebb.events/0/9"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reason=x | {}",
                "reason=x | {\"record\":\"t/0/1\"}",
                "reason=x | {\"stream\":\"s\",\"record\":\"t/0\"}",
                "actor=x | {\"stream\":\"s\"}",
                "reason=x | {\"schema\":-1}"
            })
    void shouldRefuseRequestsWithoutRecordOrReason(String query, String body) {
        // when
        var answer = client.send("POST", "/v1/parked/drop?wait=0s&" + query, "application/json", body);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(ports.commands.submitted).isEmpty();
    }

    @Test
    void shouldSendTheCommandThatAsksAnew() {
        // when
        client.send("POST", "/v1/parked/retry?wait=0s", "application/json", "{\"schema\":7}");

        // then
        assertThat(ports.commands.submitted)
                .extracting(request -> request.command())
                .containsExactly(new Command.RetryParked(null, 7L));
    }

    @Test
    void shouldOrderAPolicyToBeDropped() {
        // when
        var answer = client.send(
                "POST", "/v1/policies/drop?key=namespace:orders&actor=eva&reason=lost", "application/json", "{}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(ports.dropped).containsExactly("namespace:orders -1 by eva: lost");
    }

    @ParameterizedTest
    @CsvSource({"key=namespace:orders", "reason=lost"})
    void shouldOrderNothingWithoutAKeyAndAReason(String query) {
        // when
        var answer = client.send("POST", "/v1/policies/drop?" + query, "application/json", "{}");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(ports.dropped).isEmpty();
    }

    private static ParkedStreamView stream(String name, long sinceMs) {
        return new ParkedStreamView(
                0,
                name,
                3,
                300,
                Instant.ofEpochMilli(sinceMs),
                "schema 7",
                "schema unusable",
                "a reference is gone",
                "ebb.events/0/9");
    }
}
