package dev.ebb.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.api.access.Caller;
import dev.ebb.api.access.RefusedTokenException;
import dev.ebb.api.access.Role;
import dev.ebb.api.oidc.Oidc;
import dev.ebb.api.oidc.OidcSettings;
import dev.ebb.it.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a real Keycloak, which Maven fetches; the profile {@code matrix} runs it. */
@Tag("R-11")
@Timeout(900)
class KeycloakSuite {

    private static final String REALM = """
            {"realm":"company","enabled":true,"sslRequired":"none",
             "roles":{"realm":[{"name":"privacy-team"},{"name":"ebb-admins"}]},
             "users":[{"username":"eva","enabled":true,"email":"eva@example.org","emailVerified":true,
               "firstName":"Eva","lastName":"E","credentials":[{"type":"password","value":"eva-secret","temporary":false}],
               "realmRoles":["privacy-team"]}],
             "clients":[{"clientId":"ebb-console","publicClient":true,"enabled":true,"standardFlowEnabled":true,
               "directAccessGrantsEnabled":true,"redirectUris":["http://127.0.0.1:8480/"],
               "attributes":{"pkce.code.challenge.method":"S256"},
               "protocolMappers":[{"name":"audience","protocol":"openid-connect","protocolMapper":"oidc-audience-mapper",
                 "config":{"included.custom.audience":"ebb","access.token.claim":"true"}}]}]}
            """;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void shouldKnowPeopleOfKeycloakByTheirRoles() throws Exception {
        // given
        int port = freePort();
        Path home =
                new OtherVersions(Path.of(System.getProperty("ebb.home", "")).toAbsolutePath()).keycloak();
        Files.writeString(Files.createDirectories(home.resolve("data/import")).resolve("company.json"), REALM);
        Process keycloak = start(home, port);
        try {
            String issuer = "http://127.0.0.1:" + port + "/realms/company";
            Await.until("Keycloak", Duration.ofMinutes(10), () -> isThere(keycloak, issuer));
            String token = token(issuer);

            // when
            Caller eva = oidc(issuer, Set.of("ebb")).tokens().caller(token);

            // then
            assertThat(eva).isEqualTo(new Caller("eva", Set.of(Role.ERASER)));
            assertThatThrownBy(() -> oidc(issuer, Set.of("another")).tokens().caller(token))
                    .isInstanceOf(RefusedTokenException.class)
                    .hasMessageContaining("api.oidc.audience");
            assertThat(oidc(issuer, Set.of("ebb")).login()).isPresent();
        } finally {
            keycloak.descendants().forEach(ProcessHandle::destroyForcibly);
            keycloak.destroyForcibly();
        }
        System.out.println("Tried: Keycloak " + OtherVersions.KEYCLOAK);
    }

    private Process start(Path home, int port) throws IOException {
        return new ProcessBuilder(
                        home.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port,
                        "--import-realm")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keycloak.log").toFile())
                .start();
    }

    private String isThere(Process keycloak, String issuer) throws IOException, InterruptedException {
        if (!keycloak.isAlive()) {
            throw new AssertionError(Files.readString(folder.resolve("keycloak.log")));
        }
        HttpRequest discovery = HttpRequest.newBuilder(URI.create(issuer + "/.well-known/openid-configuration"))
                .build();
        return http.send(discovery, BodyHandlers.ofString()).statusCode() == 200 ? "" : "no realm";
    }

    private String token(String issuer) throws IOException, InterruptedException {
        HttpRequest login = HttpRequest.newBuilder(URI.create(issuer + "/protocol/openid-connect/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(
                        "grant_type=password&client_id=ebb-console&username=eva&password=eva-secret&scope=openid"))
                .build();
        JsonNode answer = new ObjectMapper()
                .readTree(http.send(login, BodyHandlers.ofString()).body());
        assertThat(answer.path("access_token").asText()).as(answer.toString()).isNotEmpty();
        return answer.path("access_token").asText();
    }

    private static Oidc oidc(String issuer, Set<String> audiences) {
        return Oidc.of(new OidcSettings(
                issuer,
                audiences,
                List.of("realm_access", "roles"),
                Map.of("privacy-team", Role.ERASER, "ebb-admins", Role.ADMIN),
                "preferred_username",
                "ebb-console",
                "",
                null));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
