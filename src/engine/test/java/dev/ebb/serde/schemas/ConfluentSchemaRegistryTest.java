package dev.ebb.serde.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.domain.event.Wait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a server that answers as Confluent's API is documented. */
class ConfluentSchemaRegistryTest {

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private SchemaRegistry registry;

    private record Answer(int status, String body) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        registry = registry(Map.of());
    }

    @AfterEach
    void stop() {
        registry.close();
        server.stop(0);
    }

    @Test
    void shouldFindASchemaByItsId() throws IOException {
        // given
        answers.put("GET /schemas/ids/7", new Answer(200, "{\"schema\":\"\\\"string\\\"\"}"));

        // when / then
        assertThat(registry.find(7)).contains("\"string\"");
    }

    @Test
    void shouldPutReferencesIntoTheSchema() throws IOException {
        // given
        answers.put("GET /schemas/ids/7", new Answer(200, """
                        {"schema":"{\\"type\\":\\"record\\",\\"name\\":\\"Event\\",\\"namespace\\":\\"dev.ebb\\",\
                        \\"fields\\":[{\\"name\\":\\"place\\",\\"type\\":\\"com.acme.Place\\"}]}",
                        "references":[{"name":"com.acme.Place","subject":"place","version":1}]}"""));
        answers.put("GET /subjects/place/versions/1", new Answer(200, """
                        {"subject":"place","version":1,"id":3,\
                        "schema":"{\\"type\\":\\"record\\",\\"name\\":\\"Place\\",\\"namespace\\":\\"com.acme\\",\
                        \\"fields\\":[{\\"name\\":\\"city\\",\\"type\\":\\"string\\"}]}"}"""));

        // when
        Schema schema = new Schema.Parser().parse(registry.find(7).orElseThrow());

        // then
        assertThat(schema.getField("place").schema().getField("city")).isNotNull();
    }

    @Test
    @Tag("O-20")
    void shouldSayThatASchemaIsUnknownOnlyIfTheRegistrySaysSo() throws IOException {
        // given
        answers.put("GET /schemas/ids/7", new Answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}"));

        // when / then
        assertThat(registry.find(7)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    404 | <html>no such page</html>
                    404 | {"error_code":404,"message":"HTTP 404 Not Found"}
                    401 | {"error_code":401,"message":"Unauthorized"}
                    500 | {"error_code":50001,"message":"Error in the backend"}
                    503 | busy
                    """)
    @Tag("O-20")
    void shouldTakeEveryOtherAnswerForARegistryThatIsAway(int status, String body) {
        // given
        answers.put("GET /schemas/ids/7", new Answer(status, body));

        // when / then
        assertThatIOException().isThrownBy(() -> registry.find(7));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    401 | {"error_code":40101,"message":"Unauthorized"}            | NOT_ALLOWED
                    401 | <html>who are you</html>                                 | NOT_ALLOWED
                    403 | {"error_code":40301,"message":"Forbidden"}               | NOT_ALLOWED
                    404 | {"error_code":40401,"message":"Subject not found"}       | SCHEMA_UNUSABLE
                    404 | {"error_code":40402,"message":"Version not found"}       | SCHEMA_UNUSABLE
                    422 | {"error_code":42201,"message":"Invalid schema"}          | SCHEMA_UNUSABLE
                    422 | {"error_code":422,"message":"Unprocessable"}             | SCHEMA_UNUSABLE
                    404 | {"error_code":404,"message":"HTTP 404 Not Found"}        | REGISTRY_AWAY
                    404 | <html>no such page</html>                                | REGISTRY_AWAY
                    408 | {"error_code":40801,"message":"Timeout"}                 | REGISTRY_AWAY
                    429 | {"error_code":42901,"message":"Too many"}                | REGISTRY_AWAY
                    500 | {"error_code":50001,"message":"Error in the backend"}    | REGISTRY_AWAY
                    500 | {"error_code":50002,"message":"Timeout"}                 | REGISTRY_AWAY
                    500 | {"error_code":50003,"message":"Forwarding failed"}       | REGISTRY_AWAY
                    503 | busy                                                     | REGISTRY_AWAY
                    """)
    @Tag("O-20")
    void shouldTellWhatDoesNotHealFromAnOutage(int status, String body, Wait.Kind kind) {
        // given
        answers.put("GET /schemas/ids/7", new Answer(status, body));

        // when / then
        assertThatIOException()
                .isThrownBy(() -> registry.find(7))
                .satisfies(e -> assertThat(SchemaProblemException.kindOf(e)).isEqualTo(kind));
    }

    @ParameterizedTest
    @CsvSource({"40401", "40402", "40403"})
    @Tag("O-20")
    void shouldNotTakeASchemaForUnknownWhoseReferenceIsGone(int code) {
        // given
        answers.put("GET /schemas/ids/7", new Answer(200, """
                        {"schema":"\\"Place\\"","references":[{"name":"Place","subject":"place","version":1}]}"""));
        answers.put(
                "GET /subjects/place/versions/1",
                new Answer(404, "{\"error_code\":" + code + ",\"message\":\"Subject 'place' was soft deleted\"}"));

        // when / then
        assertThatIOException()
                .isThrownBy(() -> registry.find(7))
                .withMessageContaining("soft deleted")
                .satisfies(e -> assertThat(SchemaProblemException.kindOf(e)).isEqualTo(Wait.Kind.SCHEMA_UNUSABLE));
    }

    @Test
    @Tag("O-20")
    void shouldSaySoWhenTheReferencesMakeNoSchema() {
        // given
        answers.put("GET /schemas/ids/7", new Answer(200, """
                        {"schema":"\\"Place\\"","references":[{"name":"Place","subject":"place","version":1}]}"""));
        answers.put("GET /subjects/place/versions/1", new Answer(200, """
                        {"subject":"place","version":1,"id":3,"schema":"\\"string\\""}"""));

        // when / then
        assertThatIOException()
                .isThrownBy(() -> registry.find(7))
                .satisfies(e -> assertThat(SchemaProblemException.kindOf(e)).isEqualTo(Wait.Kind.SCHEMA_UNUSABLE));
    }

    @Test
    @Tag("O-20")
    void shouldTakeAClosedPortForARegistryThatIsAway() {
        // given
        server.stop(0);

        // when / then
        assertThatIOException().isThrownBy(() -> registry.find(7));
    }

    @Test
    void shouldRegisterASchemaUnderItsSubject() throws IOException {
        // given
        answers.put("POST /subjects/dev.ebb.Event/versions", new Answer(200, "{\"id\":12}"));

        // when / then
        assertThat(registry.register("dev.ebb.Event", "\"string\"")).isEqualTo(12);
    }

    @Test
    void shouldSayWhyTheRegistryRefusesASchema() {
        // given
        answers.put(
                "POST /subjects/dev.ebb.Event/versions",
                new Answer(409, "{\"error_code\":409,\"message\":\"incompatible: field gone\"}"));

        // when / then
        assertThatThrownBy(() -> registry.register("dev.ebb.Event", "\"string\""))
                .isInstanceOf(SchemaRefusedException.class)
                .hasMessageContaining("dev.ebb.Event")
                .hasMessageContaining("field gone");
    }

    @Test
    void shouldSayThatNoRegistryIsAtThatAddress() {
        // given another server, or a registry whose API is behind a path
        answers.put(
                "POST /subjects/a/versions", new Answer(404, "{\"title\":\"Could not find resource\",\"status\":404}"));

        // when
        assertThatThrownBy(() -> registry.register("a", "\"string\""))
                // then
                .isInstanceOf(SchemaRefusedException.class)
                .hasMessageEndingWith(
                        " refuses the schema of a: HTTP 404, and not as a registry does; is the path missing from schema.registry.url?");
    }

    @Test
    void shouldSetACompatibilityOnlyIfItIsAnother() throws IOException {
        // given
        answers.put("GET /config/a", new Answer(200, "{\"compatibilityLevel\":\"FULL\"}"));
        answers.put("GET /config/b", new Answer(404, "{\"error_code\":40408,\"message\":\"not configured\"}"));
        answers.put("PUT /config/b", new Answer(200, "{\"compatibility\":\"FULL\"}"));

        // when
        registry.requireCompatibility("a", SchemaRegistry.Compatibility.FULL);
        registry.requireCompatibility("b", SchemaRegistry.Compatibility.FULL);

        // then
        assertThat(requests).filteredOn(request -> request.startsWith("PUT")).containsExactly("PUT /config/b");
    }

    @Test
    void shouldSendCredentials() throws IOException {
        // given
        answers.put("GET /schemas/ids/7", new Answer(200, "{\"schema\":\"\\\"string\\\"\"}"));
        SchemaRegistry withUser = registry(Map.of(
                "schema.registry.basic.auth.credentials.source", "USER_INFO",
                "schema.registry.basic.auth.user.info", "anna:geheim"));

        // when
        withUser.find(7);

        // then
        assertThat(requests).containsExactly("GET /schemas/ids/7 Basic YW5uYTpnZWhlaW0=");
    }

    @Test
    void shouldRefuseTlsSettingsThatLeadNowhere() {
        // given
        Map<String, String> settings = Map.of(
                "schema.registry.ssl.truststore.location", "/does/not/exist.jks",
                "schema.registry.ssl.truststore.password", "x");

        // when / then
        assertThatThrownBy(() -> registry(settings)).hasStackTraceContaining("exist.jks");
    }

    private SchemaRegistry registry(Map<String, String> settings) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return ConfluentSchemaRegistry.of(new AvroSettings(
                url, settings, EbbAvroSerializer.class.getName(), EbbAvroDeserializer.class.getName()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        String user = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(user == null ? request : request + " " + user);
        exchange.getRequestBody().readAllBytes();
        Answer answer = answers.getOrDefault(request, new Answer(418, "unexpected " + request));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
