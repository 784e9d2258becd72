package dev.ebb.api.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeApi;
import dev.ebb.api.FakePorts;
import dev.ebb.port.StatusView;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-23")
class UnmatchedNamesTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @BeforeEach
    void store() {
        ports.store("customers/1", "a", false);
        ports.namespaces.put("customers", new StatusView.NamespaceView(1, 1, 10, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/audit?namespace=custmers | no stream is in the namespace 'custmers' now; the nearest is 'customers'",
                "/v1/audit?stream=customers/2 | there is no stream 'customers/2' now; the nearest is 'customers/1'",
                "/v1/audit?namespace=CUSTOMERS | no stream is in the namespace 'CUSTOMERS' now; the nearest is 'customers'",
                "/v1/namespaces/custmers/events?expiring-within=1d | no stream is in the namespace 'custmers' now; the"
                        + " nearest is 'customers'",
                "/v1/audit?namespace=customers/1 | a namespace has no '/': 'customers/1' is the name of a stream",
                "/v1/audit?policy=pattern:cahe@7 | no policy or hold 'pattern:cahe@7' is in force now; the nearest is"
                        + " 'pattern:cache'",
                "/v1/audit?policy=pattern:cache@x | no policy or hold 'pattern:cache@x' is in force now",
                "/v1/audit?stream=custmers/1 | there is no stream 'custmers/1' now",
                "/v1/streams/customers%2F2/policy | there is no stream 'customers/2' now; the nearest is 'customers/1'"
            })
    void shouldNameTheNearestBesideAnEmptyAnswer(String path, String hint) {
        Answer answer = client.get(path);

        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().path("hints").path(0).asText()).startsWith(hint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/audit?namespace=customers",
                "/v1/audit?policy=pattern:cache@7",
                "/v1/audit?policy=*",
                "/v1/audit?stream=customers/1",
                "/v1/streams/customers%2F1/policy"
            })
    void shouldSayNothingOfNamesThatExist(String path) {
        assertThat(client.get(path).json().has("hints")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/streams/customers%2F2 | there is no stream 'customers/2'; the nearest is 'customers/1'",
                "/v1/streams/customers%2F1/events/A | there is no event 'A' in 'customers/1'; the nearest is 'a'",
                "/v1/streams/customers%2F1/explain?event=A | there is no event 'A' in 'customers/1'; the nearest is 'a'",
                "/v1/namespaces/custmers | there are no streams in namespace 'custmers'; the nearest is 'customers'",
                "/v1/policies/pattern:cahe | there is no policy for pattern:cahe; the nearest is 'pattern:cache'"
            })
    void shouldNameTheNearestWhereSomethingIsNotFound(String path, String detail) {
        Answer answer = client.get(path);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("detail").asText()).isEqualTo(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace:custmers | the nearest is 'customers'",
                "stream:customers/* | namespace:<name> covers all streams",
                "namespace:nothing | covers nothing"
            })
    void shouldRefuseAHoldThatCoversNothing(String covers, String why) {
        // when
        String body = "{\"covers\":\"" + covers + "\",\"reason\":\"r\"}";
        Answer refused = client.send("PUT", "/v1/holds/c", "application/json", body);

        // then
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().path("detail").asText()).contains("the hold covers nothing", why);
        assertThat(ports.changes).isEmpty();

        // when
        Answer placed = client.send("PUT", "/v1/holds/c?anyway", "application/json", body);

        // then
        assertThat(placed.status()).as(placed.response().body()).isEqualTo(200);
        assertThat(placed.json().at("/warnings/0/message").asText())
                .startsWith("the hold covers nothing now: ")
                .contains(why);
        assertThat(ports.changes).hasSize(1);
    }

    /** Its events may just have been stored, and its author must not have to place it twice. */
    @ParameterizedTest
    @ValueSource(strings = {"namespace:orders", "stream:orders/1"})
    @Tag("M-18")
    void shouldPlaceAHoldOverAStreamThatShowsAMomentLater(String covers) {
        // given a stream that shows at the third look
        AtomicInteger looks = new AtomicInteger();
        ports.onLook = () -> {
            if (looks.incrementAndGet() == 3) {
                ports.store("orders/1", "a", false);
            }
        };

        // when
        String body = "{\"covers\":\"" + covers + "\",\"reason\":\"r\"}";
        Answer placed = client.send("PUT", "/v1/holds/c", "application/json", body);

        // then
        assertThat(placed.status()).as(placed.response().body()).isEqualTo(200);
        assertThat(ports.changes).hasSize(1);
    }

    /** A name with an asterisk is a mistake, which needs no second look; each look costs a question to all instances. */
    @ParameterizedTest
    @CsvSource({"stream:orders/1, 4", "stream:orders/*, 2"})
    @Tag("M-18")
    void shouldLookAgainTwiceForWhatMayShowAMomentLater(String covers, int expected) {
        // given: the first look has another one, for the nearest name
        AtomicInteger looks = new AtomicInteger();
        ports.onLook = looks::incrementAndGet;

        // when
        String body = "{\"covers\":\"" + covers + "\",\"reason\":\"r\"}";
        Answer refused = client.send("PUT", "/v1/holds/c", "application/json", body);

        // then
        assertThat(refused.status()).isEqualTo(422);
        assertThat(looks).hasValue(expected);
    }

    /** The figures of namespaces are a second old. */
    @Test
    @Tag("M-18")
    void shouldPlaceAHoldOverANamespaceThatIsNotInTheFiguresYet() {
        // given
        ports.store("orders/1", "a", false);

        // when
        String body = "{\"covers\":\"namespace:orders\",\"reason\":\"r\"}";
        Answer placed = client.send("PUT", "/v1/holds/c", "application/json", body);

        // then
        assertThat(placed.status()).as(placed.response().body()).isEqualTo(200);
    }

    @Test
    void shouldRefuseAFileWithAHoldThatCoversNothing() {
        String file = "policies: []\nholds:\n- case: LIT-1\n  covers: stream:customers/*\n  reason: r\n";

        Answer refused = client.send("POST", "/v1/policies:apply", "application/yaml", file);
        Answer applied = client.send("POST", "/v1/policies:apply?anyway", "application/yaml", file);

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().path("problems").path(0).path("message").asText())
                .contains("the hold covers nothing");
        assertThat(applied.status()).as(applied.response().body()).isEqualTo(200);
    }

    @Test
    void shouldWarnOfAPolicyWithAnAsteriskOrANameBesideAnother() {
        String file =
                "policies:\n- {scope: 'stream:customers/*', maxAge: 1d}\n- {scope: namespace:custmers, maxAge: 1d}\n"
                        + "- {scope: namespace:later, maxAge: 1d}\n";

        Answer applied = client.send("POST", "/v1/policies:apply", "application/yaml", file);

        assertThat(applied.json().path("warnings").findValuesAsText("where"))
                .containsExactly("stream:customers/*", "namespace:custmers");
    }

    @Test
    @Tag("O-24")
    void shouldRefuseAReasonThatWouldBeCutOff() {
        String file = "policies:\n- scope: namespace:customers\n  maxAge: 30d\n  reason: " + "x".repeat(5000) + "\n";

        for (String path : new String[] {"/v1/policies:apply", "/v1/policies/diff"}) {
            Answer refused = client.send("POST", path, "application/yaml", file);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().path("problems").path(0).path("message").asText())
                    .isEqualTo("must not be longer than 4096 characters, was 5000");
        }
    }

    /** Half a surrogate pair would come back as a question mark, and differ from the file for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {"reason: \"a\\ud800b\"", "reason: \"a\\0b\"", "updatedBy: \"anna \"", "updatedBy: \"a\\nb\""})
    @Tag("O-24")
    void shouldRefuseATextThatWouldComeBackAsAnother(String field) {
        String file = "policies:\n- scope: namespace:customers\n  maxAge: 30d\n  " + field + "\n";

        for (String path : new String[] {"/v1/policies:apply", "/v1/policies/diff"}) {
            assertThat(client.send("POST", path, "application/yaml", file).status())
                    .as(path)
                    .isEqualTo(400);
        }
    }

    @Test
    @Tag("O-22")
    void shouldNameTheMomentsThatItUnderstood() {
        Answer answer = client.get("/v1/audit?from=2026-11-27&to=20261128");

        assertThat(answer.json().path("moments"))
                .hasToString("{\"from\":\"2026-11-27T00:00:00.000Z\",\"to\":\"2026-11-28T23:59:59.999Z\"}");
    }
}
