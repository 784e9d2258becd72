package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.SecurityHeaders;
import dev.ebb.api.http.ApiRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page and its files are for anybody, and hold nothing; what they show is for those who may see it. */
@Tag("C-1")
@Tag("C-2")
class ConsoleApiTest {

    private static final Pattern MAIN = Pattern.compile("/console/\\w+/main\\.js");

    @TempDir
    private Path folder;

    private final Map<Role, String> secrets = new EnumMap<>(Role.class);
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Role role : Role.values()) {
            String secret = TokenSecret.generate();
            secrets.put(role, secret);
            lines.add(new TokenEntry("the-" + role, Set.of(role), TokenSecret.hash(secret), null).line());
        }
        Path file = Files.write(folder.resolve("tokens"), lines);
        ApiSecurity security =
                new ApiSecurity(new Tokens(file), null, Set.of("127.0.0.1", "localhost"), ApiLimits.DEFAULT);
        server = new ApiServer(new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0), security, LoneServer.peers());
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldServeThePageToAnybodyUnderAStrictPolicy() {
        // when
        Answer page = client.get("/");

        // then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.mediaType()).startsWith("text/html");
        assertThat(header(page, "Content-Security-Policy"))
                .startsWith("default-src 'self';")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "*");
        assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
    }

    @Test
    void shouldServeFilesOfItsVersionForEver() {
        // given
        String path = mainOf(client.get("/"));

        // when
        Answer own = client.get(path);
        Answer other = client.get(path.replaceFirst("/console/\\w+/", "/console/former/"));

        // then
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.mediaType()).startsWith("text/javascript");
        assertThat(header(own, "Cache-Control")).contains("immutable");
        assertThat(other.status()).isEqualTo(200);
        assertThat(header(other, "Cache-Control")).isEqualTo("no-cache");
    }

    @Test
    void shouldSendNothingThatIsKnown() {
        // given
        Answer first = client.get("/");

        // when
        Answer again = client.sendWith("GET", "/", Map.of("If-None-Match", header(first, "ETag")), "");

        // then
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.response().body()).isEmpty();
    }

    @Test
    void shouldCompressForThoseWhoCanRead() {
        // given
        String path = mainOf(client.get("/"));

        // when
        Answer packed = client.sendWith("GET", path, Map.of("Accept-Encoding", "gzip, br"), "");
        Answer plain = client.get(path);

        // then
        assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
        assertThat(Long.parseLong(header(packed, "Content-Length")))
                .isLessThan(Long.parseLong(header(plain, "Content-Length")));
        assertThat(header(packed, "Vary")).contains("Accept-Encoding");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/v/nothing.js",
                "/console/v/..%2f..%2flogback.xml",
                "/console/v/index.html",
                "/console/v/Console.class"
            })
    void shouldServeNoOtherFile(String path) {
        assertThat(client.get(path).status()).isIn(400, 404);
    }

    @Test
    void shouldKeepThePolicyOfTheApiAndItsDoor() {
        // when
        Answer answer = client.get("/v1/streams");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(header(answer, "Content-Security-Policy"))
                .isEqualTo(SecurityHeaders.ALL.get("Content-Security-Policy"));
        assertThat(client.get("/v1/me").status()).isEqualTo(401);
    }

    @Test
    void shouldServeThePageUnderItsOwnNamesOnly() {
        Answer answer = client.sendWith("GET", "/", Map.of("Origin", "http://evil.example"), "");

        assertThat(answer.status()).isEqualTo(403);
    }

    /** C-2: what /v1/me names is what the door lets through. */
    @ParameterizedTest
    @EnumSource(Role.class)
    void shouldNameTheRoutesThatTheRoleMayUse(Role role) {
        // when
        var me = client.sendWith("GET", "/v1/me", Map.of("Authorization", "Bearer " + secrets.get(role)), "")
                .json();

        // then
        List<String> open = new ArrayList<>();
        me.path("routes").forEach(route -> open.add(route.asText()));
        List<String> expected = LoneServer.routes(server).stream()
                .filter(route -> !route.path().equals("/openapi.json"))
                .filter(route -> route.role().map(role::covers).orElse(true))
                .map(ConsoleApiTest::name)
                .toList();
        assertThat(open).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(me.path("name").asText()).isEqualTo("the-" + role);
        assertThat(me.path("roles").path(0).asText()).isEqualTo(role.toString());
        assertThat(me.path("payloads").asBoolean()).isEqualTo(role.covers(Role.OPERATOR));
    }

    private static String name(ApiRoute route) {
        return route.method() + " " + route.path();
    }

    private static String mainOf(Answer page) {
        Matcher matcher = MAIN.matcher(page.response().body());
        assertThat(matcher.find()).isTrue();
        return matcher.group();
    }

    private static String header(Answer answer, String name) {
        return answer.response().headers().firstValue(name).orElse("");
    }
}
