package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.connection.ApiLimits.Connections;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.history.RejectedRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Doors that are closed to outsiders, and the rights of each role. */
class SecurityTest {

    private static final String EVENTS = "/v1/streams/s/events";
    private static final byte[] PAYLOAD = "{\"secret\":\"of the payload\"}".getBytes(StandardCharsets.UTF_8);

    /** Routes that take more than a viewer. */
    private static final Map<String, Role> GUARDED = Map.ofEntries(
            Map.entry("DELETE /v1/holds/{case}", Role.ADMIN),
            Map.entry("DELETE /v1/instances/{instance}", Role.ADMIN),
            Map.entry("DELETE /v1/policies/{scope}", Role.ADMIN),
            Map.entry("DELETE /v1/streams/{stream}", Role.ADMIN),
            Map.entry("DELETE /v1/streams/{stream}/events/{id}", Role.ADMIN),
            Map.entry("PATCH /v1/streams/{stream}/events/{id}", Role.OPERATOR),
            Map.entry("POST /v1/drain", Role.ADMIN),
            Map.entry("POST /v1/erase", Role.ERASER),
            Map.entry("DELETE /v1/sources/{name}", Role.ADMIN),
            Map.entry("POST /v1/sources/{name}/empty", Role.ADMIN),
            Map.entry("POST /v1/sources/{name}/pause", Role.ADMIN),
            Map.entry("POST /v1/sources/{name}/reset", Role.ADMIN),
            Map.entry("POST /v1/sources/{name}/resume", Role.ADMIN),
            Map.entry("POST /v1/parked/drop", Role.OPERATOR),
            Map.entry("POST /v1/parked/retry", Role.OPERATOR),
            Map.entry("POST /v1/policies/confirm", Role.ADMIN),
            Map.entry("POST /v1/policies/drop", Role.ADMIN),
            Map.entry("POST /v1/policies:apply", Role.ADMIN),
            Map.entry("POST /v1/policies:plan", Role.OPERATOR),
            Map.entry("POST /v1/prune", Role.OPERATOR),
            Map.entry("POST /v1/purge", Role.OPERATOR),
            Map.entry("POST /v1/rejected/{id}/replay", Role.OPERATOR),
            Map.entry("POST /v1/streams/{stream}/events", Role.OPERATOR),
            Map.entry("POST /v1/streams/{stream}/prune", Role.OPERATOR),
            Map.entry("POST /v1/undo", Role.RESTORER),
            Map.entry("POST /v1/verify/repair", Role.OPERATOR),
            Map.entry("POST /v1/streams/{stream}/repair", Role.OPERATOR),
            Map.entry("POST /v1/sweeps", Role.OPERATOR),
            Map.entry("PUT /v1/holds/{case}", Role.ADMIN),
            Map.entry("PUT /v1/policies/{scope}", Role.ADMIN),
            Map.entry("PUT /v1/streams/{stream}/events/{id}/ttl", Role.OPERATOR));

    /** Routes that change nothing although they take a body. */
    private static final Set<String> READING = Set.of(
            "POST /v1/commands/known",
            "POST /v1/forecast",
            "POST /v1/policies/diff",
            "POST /v1/verify",
            "POST /v1/verify/stored",
            "POST /v1/verify/differences",
            "POST /v1/verify/look");

    @TempDir
    private Path folder;

    private final Map<Role, String> secrets = new EnumMap<>(Role.class);
    private final FakePorts ports = new FakePorts().store("s", "1", "application/json", PAYLOAD, false);
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Role role : Role.values()) {
            String secret = TokenSecret.generate();
            secrets.put(role, secret);
            lines.append(new TokenEntry("the-" + role, Set.of(role), TokenSecret.hash(secret), null).line())
                    .append('\n');
        }
        String old = TokenSecret.generate();
        expired = old;
        lines.append(new TokenEntry("old", Set.of(Role.ADMIN), TokenSecret.hash(old), Instant.EPOCH).line());
        Files.writeString(folder.resolve("tokens"), lines);
        serve(ApiLimits.DEFAULT, Set.of("localhost", "127.0.0.1", "[::1]"));
    }

    private String expired;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldKnowARoleForEveryRouteAndNoOther() {
        // when
        Map<String, Role> roles = new TreeMap<>();
        LoneServer.routes(server).forEach(route -> route.role().ifPresent(role -> roles.put(nameOf(route), role)));

        // then
        Map<String, Role> expected = new TreeMap<>(GUARDED);
        LoneServer.served(server).stream()
                .filter(route -> !route.startsWith("GET /health/"))
                .filter(route -> route.startsWith("GET ") || READING.contains(route))
                .forEach(route -> expected.put(route, Role.VIEWER));
        assertThat(roles).isEqualTo(expected);
        assertThat(LoneServer.routes(server).stream()
                        .filter(route -> route.role().isEmpty())
                        .map(SecurityTest::nameOf))
                .containsExactlyInAnyOrder("GET /health/live", "GET /health/ready", "GET /health/started");
    }

    private static String nameOf(ApiRoute route) {
        return route.method().name() + " " + route.path();
    }

    @Test
    void shouldAskForATokenOnEveryRouteButProbes() {
        for (ApiRoute route : LoneServer.routes(server)) {
            // when
            Answer answer = send(route, Map.of());

            // then
            boolean isProbe = route.path().startsWith("/health/");
            assertThat(answer.status()).as(route.path()).isEqualTo(isProbe ? 200 : 401);
            if (!isProbe) {
                assertThat(answer.mediaType()).isEqualTo("application/problem+json");
                assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
                        .contains("Bearer realm=\"ebb\"");
            }
        }
        assertThat(ports.changes).isEmpty();
        assertThat(ports.commands.submitted).isEmpty();
        assertThat(client.get("/no/such/path").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Bearer forged", "Bearer", "Basic YTpi", "Bearer ebb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void shouldRefuseForgedTokens(String header) {
        // when
        Answer answer = client.sendWith("GET", "/v1/status", Map.of("Authorization", header), "");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.response().headers().firstValue("WWW-Authenticate").orElse(""))
                .contains("error=\"invalid_token\"");
    }

    @Test
    void shouldRefuseAnExpiredTokenAndOneInTheQuery() {
        assertThat(client.sendWith("GET", "/v1/status", bearer(expired), "").status())
                .isEqualTo(401);
        assertThat(client.get("/v1/status?access_token=" + secrets.get(Role.ADMIN))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void shouldGiveEachRoleItsRightsAndNoMore() {
        for (ApiRoute route : LoneServer.routes(server)) {
            Role needed = route.role().orElse(Role.VIEWER);
            for (Role role : Role.values()) {
                // when
                Answer answer = send(route, bearer(secrets.get(role)));

                // then
                String what = role + " " + route.method() + " " + route.path();
                if (role.covers(needed)) {
                    assertThat(answer.status()).as(what).isNotIn(401, 403);
                } else {
                    assertThat(answer.status()).as(what).isEqualTo(403);
                    assertThat(answer.json().path("detail").asText())
                            .as(what)
                            .contains("needs the role " + needed)
                            .doesNotContain("/v1/");
                }
            }
        }
    }

    @Test
    @Tag("O-26")
    void shouldSayWhatARoleMayNotDoInWordsOfPeople() {
        // when
        Answer plan = post(Role.VIEWER, "/v1/policies:plan", "");
        Answer confirm = post(Role.OPERATOR, "/v1/policies/confirm", "");

        // then
        assertThat(plan.json().path("detail").asText())
                .isEqualTo(
                        "a caller that plans a file of policies and holds needs the role operator or admin; the token"
                                + " of 'the-viewer' has the role viewer");
        assertThat(confirm.json().path("detail").asText())
                .isEqualTo(
                        "a caller that confirms a change that the brake holds back needs the role admin; the token of"
                                + " 'the-operator' has the role operator");
    }

    @Test
    void shouldLetOnlyAdminsOverrideProtection() {
        // when: the bulk commands, which an operator may send, know no force
        Map<String, String> operator = bearer(secrets.get(Role.OPERATOR));
        assertThat(client.sendWith("DELETE", "/v1/streams/s?force", operator, "")
                        .status())
                .isEqualTo(403);
        assertThat(client.sendWith("DELETE", EVENTS + "/1?force", operator, "").status())
                .isEqualTo(403);
        for (String path : List.of("/v1/purge", "/v1/prune", "/v1/streams/s/prune", "/v1/sweeps")) {
            assertThat(post(Role.OPERATOR, path + "?force", "").status())
                    .as(path)
                    .isEqualTo(400);
        }

        // then
        assertThat(ports.commands.submitted).isEmpty();
        client.sendWith("DELETE", "/v1/streams/s?force&wait=0s", bearer(secrets.get(Role.ADMIN)), "");
        assertThat(ports.commands.submitted).hasSize(1);
    }

    @Test
    void shouldShowViewersThatThereIsAPayloadAndNeverItsBytes() {
        for (String path : List.of(EVENTS, EVENTS + "/1")) {
            // when
            Answer viewer = client.sendWith("GET", path, bearer(secrets.get(Role.VIEWER)), "");
            Answer operator = client.sendWith("GET", path, bearer(secrets.get(Role.OPERATOR)), "");

            // then
            assertThat(viewer.status()).isEqualTo(200);
            assertThat(viewer.response().body())
                    .contains("\"payloadBytes\":" + PAYLOAD.length)
                    .doesNotContain("secret", "payloadBase64", "\"payload\"");
            assertThat(operator.response().body()).contains("of the payload");
        }
    }

    @Test
    void shouldShowViewersNothingThatARejectedRecordHolds() {
        // given
        byte[] value = "of the payload".getBytes(StandardCharsets.UTF_8);
        ports.insight.rejected.add(new RejectedRecord(
                new RejectedRecord.Id(0, 7),
                5,
                "UNDECODABLE",
                "was 'of the payload'",
                "ebb.events",
                0,
                3,
                4,
                "s".getBytes(StandardCharsets.UTF_8),
                value,
                List.of(new RejectedRecord.Header("h", value)),
                null));

        for (String path : List.of("/v1/rejected", "/v1/rejected/0-7")) {
            assertThat(client.sendWith("GET", path, bearer(secrets.get(Role.VIEWER)), "")
                            .response()
                            .body())
                    .contains("\"bytes\":14", "only an operator")
                    .doesNotContain("of the payload", "valueBase64", "headers");
            assertThat(client.sendWith("GET", path, bearer(secrets.get(Role.OPERATOR)), "")
                            .response()
                            .body())
                    .contains("of the payload");
        }
    }

    @Test
    void shouldWriteTheNameOfTheTokenIntoTheAuditWhateverIsClaimed() {
        // given
        ports.policy(RetentionPolicy.of(Scope.namespace("old")).build(), 3);

        // when
        post(Role.OPERATOR, "/v1/sweeps?actor=somebody-else&wait=0s", "{\"scope\":\"*\"}");
        put("/v1/policies/namespace:a", "{\"maxAge\":\"1d\",\"updatedBy\":\"somebody-else\"}");
        put("/v1/holds/LIT-1", "{\"covers\":\"*\",\"reason\":\"r\",\"placedBy\":\"somebody-else\"}");
        client.sendWith(
                "DELETE", "/v1/policies/namespace:old?actor=somebody-else", bearer(secrets.get(Role.ADMIN)), "");
        Map<String, String> yaml = new TreeMap<>(bearer(secrets.get(Role.ADMIN)));
        yaml.put("Content-Type", "application/yaml");
        client.sendWith(
                "POST",
                "/v1/policies:apply?actor=somebody-else",
                yaml,
                "policies: [{scope: 'namespace:b', maxAge: 1d, updatedBy: somebody-else}]\n"
                        + "holds: [{case: LIT-2, covers: '*', reason: r, placedBy: somebody-else}]\n");

        // then
        assertThat(ports.commands.submitted).extracting("actor").containsExactly("the-operator");
        assertThat(ports.changes).hasSize(4).allSatisfy(change -> assertThat(change.toString())
                .contains("the-admin")
                .doesNotContain("somebody-else"));
    }

    @Test
    void shouldTellProbesWithoutATokenNothingButUpOrDown() {
        // given
        ports.isUp = false;

        // then
        Answer anonymous = client.get("/health/ready");
        assertThat(anonymous.status()).isEqualTo(503);
        assertThat(anonymous.json().path("reason").asText()).isEmpty();
        assertThat(client.sendWith("GET", "/health/ready", bearer(secrets.get(Role.VIEWER)), "")
                        .json()
                        .path("reason")
                        .asText())
                .isEqualTo("partition 1 restores");
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example, 403",
        "Origin, null, 403",
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-origin, 200",
        "X-Other, x, 200"
    })
    void shouldNotLetPagesOfOtherSitesAsk(String header, String value, int status) {
        // given: a request as a page may send it, without a body and so without a content type
        Map<String, String> headers = new TreeMap<>(bearer(secrets.get(Role.ADMIN)));
        headers.put(header, value);

        // then
        Answer answer = client.sendWith("POST", "/v1/sweeps?wait=0s&commandId=c", headers, "");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.response().headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    /** Another site may lead to a page, and have no part of one: not even a picture, which would keep a caller's place. */
    @ParameterizedTest
    @CsvSource({"navigate, document, 200", "navigate, iframe, 403", "no-cors, image, 403", "cors, empty, 403"})
    void shouldLetOtherSitesLinkAndNothingElse(String mode, String use, int status) {
        // given
        Map<String, String> headers = new TreeMap<>(bearer(secrets.get(Role.ADMIN)));
        headers.put("Sec-Fetch-Site", "cross-site");
        headers.put("Sec-Fetch-Mode", mode);
        headers.put("Sec-Fetch-Dest", use);

        // then
        assertThat(client.sendWith("GET", "/v1/policies", headers, "").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8480, 200",
        "HTTP://LOCALHOST:8480, 200",
        "https://localhost:8480, 403",
        "chrome-extension://localhost:8480, 403",
        "://localhost:8480, 403",
        "http://localhost, 403"
    })
    void shouldTakeAnOriginForItsOwnByItsSchemeToo(String origin, int status) throws IOException {
        assertThat(raw("GET /v1/policies HTTP/1.1\r\nHost: localhost:8480\r\nOrigin: " + origin + "\r\n" + token()
                        + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    /**
     * C-2: a proxy that ends TLS shows the console under another scheme, name and port; its pages may write, and those of other
     * sites may not. A program sends no origin.
     */
    @ParameterizedTest
    @CsvSource({
        "https://ebb.example.com, 200",
        "HTTPS://EBB.example.com, 200",
        "http://proxy.example.com:8080, 200",
        "'', 200",
        "http://localhost:8480, 200",
        "http://ebb.example.com, 403",
        "https://ebb.example.com:8443, 403",
        "https://ebb.example.com.evil.example, 403",
        "https://evil.example, 403",
        "http://proxy.example.com, 403",
        "null, 403"
    })
    void shouldLetPagesOfPublicAddressesWrite(String origin, int status) throws IOException {
        // given
        server.close();
        serve(
                ApiLimits.DEFAULT,
                Set.of("localhost"),
                Set.of("https://ebb.example.com", "http://proxy.example.com:8080"));

        // when
        String answer = raw("POST /v1/sweeps?wait=0s&commandId=c HTTP/1.1\r\nHost: localhost:8480\r\n" + token()
                + (origin.isEmpty() ? "" : "Origin: " + origin + "\r\nSec-Fetch-Site: same-origin\r\n")
                + "Content-Length: 0\r\nConnection: close\r\n\r\n");

        // then
        assertThat(answer).startsWith("HTTP/1.1 " + status).doesNotContainIgnoringCase("access-control-allow-origin");
        if (status == 403) {
            assertThat(answer).contains("add the address to api.public.urls");
        }
    }

    /** A header does not get a write past a proxy that lets only reads through. */
    @ParameterizedTest
    @CsvSource({"X-HTTP-Method-Override", "x-http-method-override", "X-HTTP-Method", "X-Method-Override"})
    void shouldGoByTheMethodAloneThatWasSent(String header) {
        // given
        Map<String, String> headers = new TreeMap<>(bearer(secrets.get(Role.ADMIN)));
        headers.put(header, "DELETE");

        // when
        Answer read = client.sendWith("GET", "/v1/streams/s?wait=0s&force", headers, "");
        Answer posted = client.sendWith("POST", "/v1/streams/s", headers, "");

        // then
        assertThat(read.status()).as(read.response().body()).isEqualTo(400);
        assertThat(posted.status()).isEqualTo(405);
        assertThat(client.sendWith("GET", "/v1/streams/s", headers, "").status())
                .isEqualTo(200);
        assertThat(ports.commands.submitted).isEmpty();
    }

    @Test
    void shouldNotTakeATokenInAnotherCaseOnTheSameConnection() throws IOException {
        // given
        String secret = secrets.get(Role.ADMIN);
        String request = "GET /v1/policies HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ";

        // when
        String answers =
                raw(request + secret + "\r\n\r\n" + request + swapped(secret) + "\r\nConnection: close\r\n\r\n");

        // then
        assertThat(Pattern.compile("HTTP/1.1 \\d+").matcher(answers).results().map(MatchResult::group))
                .containsExactly("HTTP/1.1 200", "HTTP/1.1 401");
    }

    private static String swapped(String text) {
        return text.chars()
                .map(c -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource({"1.1, 200", "1.0, 400"})
    void shouldTakeChunksOfTheVersionThatKnowsThemAlone(String version, int status) throws IOException {
        // when
        String answer = raw("POST /v1/policies/diff HTTP/" + version + "\r\nHost: localhost\r\n" + token()
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "f\r\n{\"policies\":[]}\r\n0\r\n\r\n");

        // then
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        if (status == 400) {
            assertThat(answer).contains("application/problem+json", "HTTP/1.0 has no Transfer-Encoding");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json|200",
                "application/json;charset=utf-8|200",
                "application/json; Charset = \"UTF-8\"|200",
                "application/json;profile=x;charset=utf-8|200",
                "application/json;charset=x|415",
                "application/json;charset=|415",
                "application/json;charset=\"|415",
                "application/json;charset=iso-8859-1|415",
                "text/plain;charset=x|415",
                ";charset=utf-8|415"
            })
    void shouldTakeBodiesInUtf8Alone(String contentType, int status) throws IOException {
        for (String route : List.of("POST /v1/policies/diff", "POST " + EVENTS, "POST /v1/sweeps?wait=0s&dryRun")) {
            // when
            String answer = raw(route + " HTTP/1.1\r\nHost: localhost\r\n" + token() + "Content-Type: " + contentType
                    + "\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{\"policies\":[]}");

            // then
            assertThat(answer).as(route).contains("application/").doesNotContain(" 500 ");
            if (route.endsWith("diff")) {
                assertThat(answer).startsWith("HTTP/1.1 " + status);
            }
        }
    }

    private String token() {
        return "Authorization: Bearer " + secrets.get(Role.ADMIN) + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example, 403", "evil.example:8480, 403", "127.0.0.1.evil.example, 403", "'', 400",
        "localhost:8480, 401", "LOCALHOST, 401", "127.0.0.1, 401", "[::1]:8480, 401"
    })
    void shouldNotBeCalledByNamesThatAreNotItsOwn(String host, int status) throws IOException {
        assertThat(raw("GET /v1/status HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void shouldSayToBrowsersThatAnswersAreDataAndNoPages() {
        for (String path : List.of("/v1/status", "/health/live", "/nothing")) {
            Map<String, List<String>> headers =
                    client.get(path).response().headers().map();
            assertThat(headers)
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry("content-security-policy", List.of("default-src 'none'; frame-ancestors 'none'"))
                    .containsEntry("cache-control", List.of("no-store"))
                    .doesNotContainKey("server");
        }
    }

    @Test
    void shouldNotReadABodyThatItWillNotUse() throws IOException {
        // given: 10 MB are promised but not sent
        String length = "Content-Length: 10485760\r\nContent-Type: application/json\r\n\r\n";
        String token = "Authorization: Bearer " + secrets.get(Role.ADMIN) + "\r\n";
        String head = "POST " + EVENTS + " HTTP/1.1\r\nHost: localhost\r\n";

        // then
        assertThat(firstLine(head + length)).startsWith("HTTP/1.1 401");
        assertThat(firstLine(head + token + length)).startsWith("HTTP/1.1 413");
    }

    @Test
    void shouldRefuseHeadersThatAreTooBig() {
        // when
        Answer answer = client.sendWith("GET", "/v1/status", Map.of("X-Big", "x".repeat(20_000)), "");

        // then
        assertThat(answer.status()).isEqualTo(431);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void shouldRefuseABodyThatIsNestedTooDeep(String opening) {
        for (String path : List.of(EVENTS, "/v1/sweeps", "/v1/policies/diff")) {
            // when
            Answer answer = post(Role.ADMIN, path, opening.repeat(100_000));

            // then
            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        }
    }

    @Test
    void shouldEndConnectionsThatAreSilentOrSlow() throws IOException {
        // given
        stop();
        ApiLimits quick = new ApiLimits(8, 500, connections(Duration.ofMillis(300), Duration.ofMillis(900)), 16 << 10);
        serve(quick, Set.of());

        // then: a header that never ends, a body that never comes, and a body that comes byte by byte
        assertThat(readAll("GET /v1/sta")).doesNotContain("1.1 200");
        String head = "POST " + EVENTS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + secrets.get(Role.ADMIN) + "\r\nContent-Length: 1000\r\n\r\n";
        assertThat(readAll(head)).doesNotContain("1.1 202");
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            Trickle trickle = new Trickle(socket);
            trickle.start();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .doesNotContain("1.1 202");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        assertThat(ports.written).isEmpty();
        assertThat(client.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void shouldAskACallerThatSendsTooMuchToComeBackLater() {
        // given
        stop();
        serve(new ApiLimits(8, 1, Connections.DEFAULT, 16 << 10), Set.of());

        // when: the limit allows two at once
        List<Integer> statuses = new ArrayList<>();
        Answer last = null;
        for (int i = 0; i < 8; i++) {
            last = client.sendWith("GET", "/v1/policies", bearer(secrets.get(Role.VIEWER)), "");
            statuses.add(last.status());
        }

        // then
        assertThat(statuses).startsWith(200, 200).contains(429);
        Answer refused = client.sendWith("GET", "/v1/policies", bearer(secrets.get(Role.VIEWER)), "");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(client.sendWith("GET", "/v1/policies", bearer(secrets.get(Role.ADMIN)), "")
                        .status())
                .as("another caller")
                .isEqualTo(200);
    }

    @Test
    void shouldMakeACallerThatTriesTokensWait() {
        // when
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            statuses.add(client.sendWith("GET", "/v1/status", bearer("ebb_" + "A".repeat(43)), "")
                    .status());
        }

        // then
        assertThat(statuses).startsWith(401, 401).contains(429).doesNotContain(200);
        assertThat(client.sendWith("GET", "/v1/status", bearer(secrets.get(Role.ADMIN)), "")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void shouldDescribeRolesInOpenApi() {
        // when
        var document = client.sendWith("GET", "/openapi.json", bearer(secrets.get(Role.VIEWER)), "")
                .json();

        // then
        assertThat(document.at("/components/securitySchemes/bearer/scheme").asText())
                .isEqualTo("bearer");
        assertThat(document.at("/paths/~1v1~1sweeps/post/x-ebb-role").asText()).isEqualTo("operator");
        assertThat(document.at("/paths/~1v1~1sweeps/post/security/0/bearer").isArray())
                .isTrue();
        assertThat(document.at("/paths/~1health~1live/get/security").toString()).isEqualTo("[]");
    }

    private static Connections connections(Duration idle, Duration exchange) {
        return new Connections(100, 100, exchange, idle, exchange, exchange);
    }

    private void serve(ApiLimits limits, Set<String> hosts) {
        serve(limits, hosts, Set.of());
    }

    private void serve(ApiLimits limits, Set<String> hosts, Set<String> origins) {
        server = new ApiServer(
                ports.ports(),
                new ApiSettings("127.0.0.1", 0, 8 << 20, Duration.ofMillis(10)),
                new ApiSecurity(new Tokens(folder.resolve("tokens")), null, hosts, origins, limits),
                LoneServer.peers());
        server.start();
        client = new ApiClient(server.port());
    }

    private Answer send(ApiRoute route, Map<String, String> headers) {
        // News end at once for a caller that does not wait.
        String path = route.path()
                .replace("{scope}", "*")
                .replace("/v1/updates", "/v1/updates?wait=0")
                .replaceAll("\\{\\w+}", "0-0");
        Map<String, String> all = new TreeMap<>(headers);
        all.put("Content-Type", "application/json");
        return client.sendWith(
                route.method().name(), path, all, route.method().name().equals("GET") ? "" : "{}");
    }

    private Answer post(Role role, String path, String body) {
        Map<String, String> headers = new TreeMap<>(bearer(secrets.get(role)));
        headers.put("Content-Type", "application/json");
        return client.sendWith("POST", path, headers, body);
    }

    private void put(String path, String body) {
        Map<String, String> headers = new TreeMap<>(bearer(secrets.get(Role.ADMIN)));
        headers.put("Content-Type", "application/json");
        client.sendWith("PUT", path, headers, body);
    }

    private static Map<String, String> bearer(String secret) {
        return Map.of("Authorization", "Bearer " + secret);
    }

    private String raw(String request) throws IOException {
        return readAll(request);
    }

    private String readAll(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private String firstLine(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    /** Sends a byte every tenth of a second until the server takes no more. */
    private static final class Trickle extends Thread {

        private final Socket socket;

        Trickle(Socket socket) {
            this.socket = socket;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 1000; i++) {
                    socket.getOutputStream().write(' ');
                    Thread.sleep(100);
                }
            } catch (IOException | InterruptedException e) {
                interrupt();
            }
        }
    }
}
