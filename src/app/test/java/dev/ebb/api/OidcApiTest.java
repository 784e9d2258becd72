package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.access.LocalIssuer;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.oidc.Oidc;
import dev.ebb.api.oidc.OidcSettings;
import dev.ebb.domain.Sha256;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People of an issuer beside tokens of a file, the login of the console, and acts that need two people. */
@Tag("R-11")
class OidcApiTest {

    private static final String VERIFIER = "a-verifier-of-at-least-forty-three-characters-0";
    private static final String HOME = "http://127.0.0.1:8480/";

    @TempDir
    private Path folder;

    private final LocalIssuer issuer = new LocalIssuer();
    private final FakePorts ports = new FakePorts();
    private String secret;
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() throws IOException {
        secret = TokenSecret.generate();
        Path file = Files.writeString(
                folder.resolve("tokens"),
                new TokenEntry("robot", Set.of(Role.ADMIN), TokenSecret.hash(secret), null).line());
        Oidc oidc = Oidc.of(new OidcSettings(
                issuer.issuer(), Set.of("ebb"), List.of("roles"), Map.of(), "preferred_username", "ebb", "", null));
        server = new ApiServer(
                ports.ports(),
                new ApiSettings("127.0.0.1", 0, 8 << 20, Duration.ofMillis(10)),
                new ApiSecurity(
                        oidc.beside(new Tokens(file)),
                        null,
                        Set.of("127.0.0.1", "localhost"),
                        Set.of(),
                        ApiLimits.DEFAULT,
                        oidc.login().orElseThrow(),
                        new SecondPerson(true)),
                LoneServer.peers());
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
        issuer.close();
    }

    @Test
    void shouldKnowPeopleBesideTokensOfTheFile() {
        JsonNode eva =
                send("GET", "/v1/me", person("eva", "eraser", "restorer"), "").json();
        assertThat(eva.path("name").asText()).isEqualTo("eva");
        assertThat(eva.path("roles")).extracting(JsonNode::asText).containsExactlyInAnyOrder("eraser", "restorer");
        assertThat(eva.path("routes"))
                .extracting(JsonNode::asText)
                .contains("POST /v1/erase", "POST /v1/undo")
                .doesNotContain("POST /v1/policies/confirm");
        assertThat(eva.path("secondPerson").asBoolean()).isTrue();
        assertThat(send("GET", "/v1/me", secret, "").json().path("name").asText())
                .isEqualTo("robot");
    }

    @Test
    void shouldRefuseATokenOfTheIssuerForAnotherApplication() {
        String other = issuer.sign(Map.of("sub", "eva", "aud", "mail", "roles", List.of("admin")));
        Answer refused = send("GET", "/v1/me", other, "");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.response().body()).contains("api.oidc.audience").doesNotContain(other);
    }

    @Test
    void shouldSayThatTheIssuerIsAwayAndStillKnowTheTokensOfTheFile() {
        String token = person("eva", "viewer");
        issuer.close();
        assertThat(send("GET", "/v1/me", token, "").status()).isEqualTo(502);
        assertThat(send("GET", "/v1/me", secret, "").status()).isEqualTo(200);
    }

    @Test
    void shouldExchangeACodeForTheTokenOfThePerson() throws Exception {
        // given
        issuer.logsIn(Map.of("sub", "1", "preferred_username", "eva", "roles", List.of("operator")));
        JsonNode offer = client.get("/console/login").json();
        assertThat(offer.path("client").asText()).isEqualTo("ebb");

        // when
        String code = code(offer.path("address").asText(), VERIFIER);
        Answer entered = enter(code, VERIFIER);

        // then
        assertThat(entered.status()).isEqualTo(200);
        String token = entered.json().path("token").asText();
        assertThat(send("GET", "/v1/me", token, "").json().path("name").asText())
                .isEqualTo("eva");
        assertThat(enter(code, VERIFIER).status()).as("a code is good for once").isEqualTo(401);
    }

    @Test
    void shouldRefuseACodeWithoutTheSecretThatBeganTheLogin() throws Exception {
        String code = code(client.get("/console/login").json().path("address").asText(), VERIFIER);
        Answer refused = enter(code, "another-verifier-of-at-least-forty-three-chars");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.response().body()).contains("log in once more").doesNotContain(code);
        assertThat(send("POST", "/console/login", "", "{}").status()).isEqualTo(400);
        assertThat(send("POST", "/console/login", "", "[").status()).isEqualTo(400);
    }

    @Test
    void shouldWantAnotherPersonToReleaseAHold() {
        // given
        ports.holds.put("LIT-1", new Hold("LIT-1", Scope.namespace("orders"), "litigation", "eva", 1));

        // when, then
        Answer refused = send("DELETE", "/v1/holds/LIT-1", person("eva", "admin"), "");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.response().body()).contains("placed the hold LIT-1", "api.second.person");
        assertThat(send("DELETE", "/v1/holds/LIT-1", person("max", "admin"), "").status())
                .isIn(200, 202);
    }

    @Test
    @Tag("O-8")
    void shouldWantAnotherPersonToConfirmAChange() {
        // given
        PolicyKey key = PolicyKey.of(Scope.namespace("orders"));
        ports.waiting.add(
                new WaitingPolicy(key, 17, "eva", 1, "much would go", new BrakeFinding(10_001, false, 20_000)));
        String path = "/v1/policies/confirm?key=namespace:orders&version=17&reason=seen";

        // when, then
        Answer refused = send("POST", path, person("eva", "admin"), "");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.response().body()).contains("'eva' asked for this change", "api.second.person");
        assertThat(ports.confirmed).isEmpty();
        assertThat(send("POST", path, person("max", "admin"), "").status()).isEqualTo(200);
        assertThat(ports.confirmed).hasSize(1);
    }

    /** O-8: a plan stands for the confirmation, and its maker must not confirm alone either. */
    @ParameterizedTest
    @CsvSource({"eva, false", "max, true"})
    @Tag("O-8")
    void shouldWantAnotherPersonToApplyThePlanOfALargeChange(String name, boolean isConfirmed) {
        // given a change that the brake holds back, and its plan by eva
        PolicyKey key = PolicyKey.of(Scope.namespace("orders"));
        ports.takesEffect = false;
        ports.waiting.add(
                new WaitingPolicy(key, 8, name, 1, "much would go", new BrakeFinding(10_001, true, 1_000_000)));
        ports.commands.policyVersion = ports.current().version();
        ports.commands.startedMs = System.currentTimeMillis();
        ports.commands.plan = plan("eva");
        String file = "policies: [{scope: namespace:orders, maxCount: 1}]";

        // when
        Answer answer = client.sendWith(
                "POST",
                "/v1/policies:apply?reason=why&plan=p-1",
                Map.of("Content-Type", "application/yaml", "Authorization", "Bearer " + person(name, "admin")),
                file);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(isConfirmed ? 200 : 202);
        assertThat(ports.confirmed).hasSize(isConfirmed ? 1 : 0);
        if (!isConfirmed) {
            assertThat(answer.json().at("/warnings/0/message").asText()).contains("api.second.person", "made the plan");
        }
    }

    @Test
    @Tag("T-15")
    void shouldWantThePlanOfAnotherPersonForAnErasure() {
        // given a dry run, which one person may ask for
        ports.commands.plan = plan("eva");
        String body = "{\"case\":\"GDPR-7\",\"where\":[\"metadata.user=42\"],\"reason\":\"art. 17\"%s}";
        String eva = person("eva", "eraser");
        String max = person("max", "eraser");
        assertThat(send("POST", "/v1/erase?dryRun=true&commandId=p-1", eva, body.formatted(""))
                        .status())
                .isEqualTo(200);

        // when
        Answer unseen = send("POST", "/v1/erase", max, body.formatted(""));
        Answer unknown = send("POST", "/v1/erase?plan=p-2", max, body.formatted(""));
        Answer own = send("POST", "/v1/erase?plan=p-1", eva, body.formatted(""));

        // then
        assertThat(unseen.status()).isEqualTo(403);
        assertThat(unseen.response().body()).contains("ebb erase --dry-run", "api.second.person");
        assertThat(unknown.status()).isEqualTo(403);
        assertThat(unknown.response().body()).contains("p-2");
        assertThat(own.status()).isEqualTo(403);
        assertThat(own.response().body()).contains("by 'eva'");
        assertThat(ports.commands.submitted).hasSize(1);

        // and
        assertThat(send("POST", "/v1/erase?plan=p-1", max, body.formatted("")).status())
                .isEqualTo(200);
        assertThat(ports.commands.submitted).hasSize(2);
    }

    private static PlanOutcome plan(String madeBy) {
        return new PlanOutcome("p-1", madeBy, 1000, 2000, new PlanDigest(5, 1, 2, 3, 4), null, Map.of());
    }

    private Answer enter(String code, String verifier) {
        return send(
                "POST",
                "/console/login",
                "",
                "{\"code\":\"%s\",\"verifier\":\"%s\",\"redirect\":\"%s\"}".formatted(code, verifier, HOME));
    }

    /** Does what the browser does: asks the issuer's page, which sends it back with a code. */
    private static String code(String page, String verifier) throws Exception {
        String challenge = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Sha256.of(verifier.getBytes(StandardCharsets.US_ASCII)));
        URI address = URI.create(page + "?response_type=code&client_id=ebb&state=s&code_challenge=" + challenge
                + "&code_challenge_method=S256&redirect_uri=" + URLEncoder.encode(HOME, StandardCharsets.UTF_8));
        HttpResponse<Void> sent =
                HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
        String back = sent.headers().firstValue("Location").orElseThrow();
        assertThat(back).startsWith(HOME + "?code=").endsWith("&state=s");
        return back.substring(back.indexOf("code=") + 5, back.indexOf('&'));
    }

    private String person(String name, String... roles) {
        return issuer.sign(
                Map.of("sub", "id-of-" + name, "preferred_username", name, "aud", "ebb", "roles", List.of(roles)));
    }

    private Answer send(String method, String path, String token, String body) {
        Map<String, String> headers = new TreeMap<>(Map.of("Content-Type", "application/json"));
        if (!token.isEmpty()) {
            headers.put("Authorization", "Bearer " + token);
        }
        return client.sendWith(method, path, headers, body);
    }
}
