package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.door.ApiSettings;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names are hostile: each valid one can be addressed, each invalid one is refused, nothing is mistaken for another. */
@Tag("O-17")
class HostileNamesTest {

    private final FakePorts ports = new FakePorts();
    private final ApiServer server = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0));
    private ApiClient client;

    @BeforeEach
    void start() {
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders/eu-1",
                "a//b",
                "a/",
                ".",
                "..",
                "../../etc/passwd",
                "a%2Fb",
                "%",
                "100%25",
                "a+b",
                "a b",
                "a;b=c",
                "a?b#c",
                "\"quoted\" 'name'",
                "<script>",
                "back\\slash",
                "été",
                "\uD83D\uDE00/\uD83D\uDE80",
                "a:b",
                "events",
                "{stream}"
            })
    void shouldFindStreamAndEventOfAnyValidName(String name) {
        // given
        ports.store(name, name, false).store("other", "other", false);

        // when
        var stream = client.get("/v1/streams/" + ApiClient.segment(name));
        var event = client.get("/v1/streams/" + ApiClient.segment(name) + "/events/" + ApiClient.segment(name));

        // then
        assertThat(stream.status()).as(stream.response().body()).isEqualTo(200);
        assertThat(stream.json().at("/usage/stream").asText()).isEqualTo(name);
        assertThat(event.status()).as(event.response().body()).isEqualTo(200);
        assertThat(event.json().path("id").asText()).isEqualTo(name);
    }

    /** Clients shorten the path of an event '..' to that of its stream with a slash behind it, which is no stream. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    @Tag("C-11")
    void shouldNotTakeAnEventForItsStream(String method) {
        // given
        ports.store("s", "..", false);

        // when
        var answer = client.send(method, "/v1/streams/s/", "application/json", "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(404);
        assertThat(ports.commands.submitted).isEmpty();
    }

    /** Browsers and curl would take the dots alone for steps to another path; a name that looks so written has one more sign. */
    @ParameterizedTest
    @CsvSource({
        "., ~.",
        "., ~%2E",
        ".., ~..",
        ".., %7e%2e%2E",
        ".., %2E%2E",
        "~., ~~.",
        "~.., ~~..",
        "~~.., ~~~..",
        "..., ...",
        "~..., ~...",
        "~, ~",
        "~a., ~a.",
        "a~.., a~.."
    })
    @Tag("C-11")
    void shouldFindNamesOfDotsInAFormThatClientsLeaveAsItIs(String name, String segment) {
        // given
        for (String each : List.of(".", "..", "~.", "~..", "~~..", "...", "~...", "~", "~a.", "a~..")) {
            ports.store("s", each, false).store(each, "e", false);
        }

        // when
        var event = client.get("/v1/streams/s/events/" + segment);
        var stream = client.get("/v1/streams/" + segment);

        // then
        assertThat(event.status()).as(event.response().body()).isEqualTo(200);
        assertThat(event.json().path("id").asText()).isEqualTo(name);
        assertThat(stream.json().at("/usage/stream").asText()).isEqualTo(name);
    }

    @Test
    void shouldFindNamesOfFullLength() {
        // given
        String name = "\uD83D\uDE00".repeat(63) + "abc";
        ports.store(name, name, false);

        // when
        var answer = client.get("/v1/streams/" + ApiClient.segment(name) + "/events/" + ApiClient.segment(name));

        // then
        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%00", "a%0Ab", "%20a", "a%C2%A0", "%7F", "%C2%85"})
    void shouldRefuseNamesThatBreakTheRules(String segment) {
        // when
        var answer = client.get("/v1/streams/" + segment);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%00", "", "%7F"})
    void shouldRefuseToGoOnAfterAnInvalidName(String after) {
        // when
        var answer = client.get("/v1/streams?after=" + after);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.json().path("problems").findValuesAsText("where")).containsExactly("after");
    }

    @Test
    void shouldRefuseNamesThatAreTooLong() {
        // when
        var answer = client.get("/v1/streams/" + "a".repeat(256));

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("detail").asText()).contains("255");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%ff", "%c3%28", "%", "%zz", "%ed%a0%80", "a%"})
    void shouldRefusePathsThatAreNotUtf8(String segment) {
        for (String method : List.of("GET", "PUT", "PATCH", "DELETE")) {
            // when
            String answer = client.raw(method, "/v1/streams/" + segment);

            // then
            assertThat(answer).as(method).startsWith("HTTP/1.1 400").contains("application/problem+json");
        }
    }

    @Test
    void shouldNotTakeAnUnencodedSlashForAPartOfTheName() {
        // given
        ports.store("orders/eu-1", "e-1", false);

        // when
        var answer = client.get("/v1/streams/orders/eu-1");

        // then
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("detail").asText()).contains("%2F");
    }
}
