package dev.ebb.api.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient;
import dev.ebb.api.FakeApi;
import dev.ebb.api.FakePorts;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-8")
class BrakeResourceTest {

    private static final WaitingPolicy WAITING = new WaitingPolicy(
            PolicyKey.of(Scope.namespace("orders")),
            17,
            "otto",
            1000,
            "it would delete much",
            new BrakeFinding(12, true, 40));

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void start() {
        ports.waiting.add(WAITING);
    }

    @Test
    void shouldShowChangesThatTheBrakeHoldsBack() {
        // when
        var answer = client.get("/v1/policies/waiting");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("waiting").path(0)).hasToString("""
            {"key":"namespace:orders","version":17,"change":17,"actor":"otto","since":"1970-01-01T00:00:01.000Z","why":"it would delete much",\
            "wouldDelete":12,"atLeast":true,"stored":40}\
            """);
    }

    @Test
    void shouldTellTheAuthorOfAChangeHeldBack() {
        // given
        ports.takesEffect = false;

        // when
        var answer = client.send("PUT", "/v1/policies/namespace:orders", "application/json", "{\"maxAge\":\"1d\"}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("waiting").path(0).path("wouldDelete").asLong())
                .isEqualTo(12);
        assertThat(answer.json().path("set")).as("a waiting change is not set").isEmpty();
    }

    @Test
    void shouldNotCallAPolicyRemovedWhileItsRemovalIsHeldBack() {
        // given
        ports.policy(RetentionPolicy.of(Scope.namespace("orders")).build(), 5);
        ports.takesEffect = false;

        // when
        var answer = client.send("DELETE", "/v1/policies/namespace:orders", null, "");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("removed")).isEmpty();
        assertThat(answer.json().path("waiting")).hasSize(1);
    }

    @Test
    void shouldWithdrawAChangeThatOnlyWaits() {
        // when
        var answer = client.send("DELETE", "/v1/policies/namespace:orders?actor=eva&reason=no", null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.changes).singleElement().satisfies(change -> {
            assertThat(change.removals()).containsExactly(WAITING.key());
            assertThat(change.actor()).isEqualTo("eva");
        });
        assertThat(answer.json().path("withdrawn")).hasToString("[\"namespace:orders\"]");
        assertThat(answer.json().path("removed")).as("no policy was in force").isEmpty();
    }

    @Test
    void shouldWithdrawAHoldThatOnlyWaits() {
        // given
        ports.waiting.add(new WaitingPolicy(PolicyKey.ofHold("c"), 18, "otto", 1000, "", null));

        // when
        var answer = client.send("DELETE", "/v1/holds/c", null, "");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("withdrawn")).hasToString("[\"hold:c\"]");
        assertThat(client.send("DELETE", "/v1/holds/d", null, "").status()).isEqualTo(404);
    }

    @Test
    void shouldMentionAChangeThatWaitsWithItsPolicy() {
        // then
        var nothing = client.get("/v1/policies/namespace:orders");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.json().path("detail").asText())
                .isEqualTo("there is no policy for namespace:orders yet: version 17 of it is held back,"
                        + " it would delete much");

        // when
        ports.policy(RetentionPolicy.of(Scope.namespace("orders")).build(), 5);

        // then
        assertThat(client.get("/v1/policies/namespace:orders")
                        .json()
                        .path("waiting")
                        .path("version")
                        .asLong())
                .isEqualTo(17);
        assertThat(client.get("/v1/policies/*").json().has("waiting")).isFalse();
    }

    @Test
    void shouldLetAConfirmedChangeThrough() {
        // when
        var answer = client.send(
                "POST", "/v1/policies/confirm?key=namespace:orders&version=17&actor=eva&reason=ok", null, "");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(ports.confirmed).containsExactly("namespace:orders by eva: ok");
    }

    /** The list shows the number of a count that stopped early; it is the number that a person can repeat. */
    @Test
    void shouldTakeTheNumberThatItShowsItself() {
        // when
        var answer = client.send(
                "POST", "/v1/policies/confirm?key=namespace:orders&wouldDelete=12&actor=eva&reason=ok", null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.toldOfConfirmed).isEqualTo(WAITING.finding());
        assertThat(ports.recordsOfConfirmed).isEqualTo(1);
    }

    @Test
    void shouldConfirmNoOtherVersion() {
        // when
        var answer = client.send("POST", "/v1/policies/confirm?key=namespace:orders&version=16", null, "");

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(ports.confirmed).isEmpty();
    }

    @Test
    void shouldSayWhichVersionWaits() {
        // when
        var answer = client.send("POST", "/v1/policies/confirm?key=namespace:orders&version=18", null, "");

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asText())
                .isEqualTo("version 18 of namespace:orders does not wait; version 17 does");
    }

    @Test
    void shouldConfirmNothingThatDoesNotWaitAnyMore() {
        // given
        ports.isTooLate = true;

        // when
        var answer = client.send("POST", "/v1/policies/confirm?key=namespace:orders&version=17", null, "");

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asText())
                .startsWith("version 17 of namespace:orders does not wait any more");
    }

    /** By default, the count is confirmed that is known when the request comes. */
    @Test
    @Tag("O-8")
    void shouldConfirmTheCountThatItsCallerWasTold() {
        // when
        client.send("POST", "/v1/policies/confirm?key=namespace:orders&wouldDelete=11", null, "");

        // then
        assertThat(ports.toldOfConfirmed).isEqualTo(new BrakeFinding(11, false, 40));
        assertThat(ports.recordsOfConfirmed).isEqualTo(1);

        // when
        ports.waiting.add(WAITING);
        client.send("POST", "/v1/policies/confirm?key=namespace:orders&records=3", null, "");

        // then
        assertThat(ports.toldOfConfirmed).isEqualTo(WAITING.finding());
        assertThat(ports.recordsOfConfirmed).isEqualTo(3);
    }

    @Test
    @Tag("O-8")
    void shouldSayThatTheCountIsMadeAnew() {
        // given
        ports.isCountedAnew = true;

        // when
        var answer = client.send("POST", "/v1/policies/confirm?key=namespace:orders&version=17", null, "");

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asText())
                .startsWith("version 17 of namespace:orders waits still, and nothing was confirmed: ")
                .endsWith("then confirm that");
    }

    @Test
    void shouldNameAllThatComesIntoForceTogether() {
        // given
        ports.waiting.add(new WaitingPolicy(PolicyKey.ofHold("c"), 17, "otto", 1000, "", null));
        ports.waiting.add(new WaitingPolicy(PolicyKey.of(Scope.ALL), 15, "otto", 1000, "", null));
        ports.policy(RetentionPolicy.of(Scope.namespace("orders")).build(), 9);

        // when
        var answer = client.send("POST", "/v1/policies/confirm?key=namespace:orders", null, "");

        // then
        assertThat(answer.json().path("set")).hasToString("[\"namespace:orders\"]");
        assertThat(answer.json().path("removed")).hasToString("[\"hold:c\"]");
    }

    @Test
    void shouldConfirmNothingThatDoesNotWait() {
        var answer = client.send("POST", "/v1/policies/confirm?key=*", null, "");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("detail").asText()).isEqualTo("no change of '*' waits for a confirmation");
    }

    @ParameterizedTest
    @CsvSource({
        "'', key must be named",
        "?key=foo, key 'foo' is not a key",
        "?key=*&version=abc, version must be a number",
        "?key=*&version=-1, version must be a number",
        "?key=*&wouldDelete=many, wouldDelete must be a number"
    })
    void shouldNameTheFaultOfAConfirmation(String query, String problem) {
        // when
        var answer = client.send("POST", "/v1/policies/confirm" + query, null, "");

        // then
        assertThat(answer.status()).isEqualTo(400);
        var first = answer.json().path("problems").path(0);
        assertThat(first.path("where").asText() + " " + first.path("message").asText())
                .startsWith(problem);
    }
}
