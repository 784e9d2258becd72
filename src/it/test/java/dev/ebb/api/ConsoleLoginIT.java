package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.LocalIssuer;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.console.CannedConsole;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.oidc.Oidc;
import dev.ebb.api.oidc.OidcSettings;
import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The login of the console in a browser, at an issuer with keys of its own, and screens of the officer's day. */
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleLoginIT {

    @TempDir
    private static Path folder;

    private Chromium chromium;

    @BeforeAll
    void startBrowser() throws Exception {
        Optional<Path> program = Chromium.program();
        Assumptions.assumeTrue(program.isPresent(), "no Chromium is found");
        chromium = Chromium.start(program.orElseThrow(), folder.resolve("browser"));
    }

    @AfterAll
    void stopBrowser() {
        if (chromium != null) {
            chromium.close();
        }
    }

    @Test
    @Tag("R-11")
    void shouldLogInAtTheIssuerAndComeBackToThePlace() throws Exception {
        try (LocalIssuer issuer = new LocalIssuer();
                ApiServer server = server(issuer);
                BrowserTab tab = chromium.tab(1280, 900)) {
            // given
            server.start();
            issuer.logsIn(Map.of(
                    "sub", "1", "preferred_username", "eva", "aud", "ebb", "roles", List.of("eraser", "restorer")));
            tab.open("http://127.0.0.1:" + server.port() + "/#/holds");

            // when
            tab.awaitText("Or enter a token").click("Log in");

            // then
            tab.awaitText("eva, eraser, restorer");
            assertThat(tab.evaluate("location.hash").asText()).isEqualTo("#/holds");
            assertThat(tab.evaluate("location.search").asText()).isEmpty();

            // when
            tab.click("Leave");

            // then
            tab.awaitText("Or enter a token");
            assertThat(tab.evaluate("sessionStorage.getItem('ebb.token')").isNull())
                    .isTrue();
        }
    }

    @Test
    @Tag("R-11")
    void shouldNotTakeALoginThatThisTabHasNotBegun() throws Exception {
        try (LocalIssuer issuer = new LocalIssuer();
                ApiServer server = server(issuer);
                BrowserTab tab = chromium.tab(1280, 900)) {
            server.start();
            tab.open("http://127.0.0.1:" + server.port() + "/?code=stolen&state=forged");
            tab.awaitText("This tab has not begun the login");
            assertThat(tab.evaluate("location.search").asText()).isEmpty();
        }
    }

    @Test
    @Tag("R-15")
    void shouldOrderAndSaveTheRowsOfTheArchive() throws Exception {
        try (CannedConsole console = new CannedConsole();
                BrowserTab tab = chromium.tab(1280, 900)) {
            // given
            console.answer(
                    "/v1/me",
                    "{\"name\":\"vera\",\"roles\":[\"viewer\"],\"payloads\":false,"
                            + "\"routes\":[\"GET /v1/archive\",\"GET /v1/parked\"]}");
            console.answer("/v1/instances", "{\"concerns\":[]}");
            console.answer("/v1/archive", """
                    {"archived":[%s,%s],"next":null}""".formatted(archived("r1", "=cmd", 10), archived("r2", "a\\\"b", 9)));
            console.answer("/v1/parked", """
                    {"parked":[{"partition":0,"stream":"orders/7","records":2,"bytes":200,"since":"2026-11-28T10:00:00Z",
                      "waitsFor":"schema 7","kind":"SCHEMA","problem":"not known","first":null}],"isMore":false}""");
            tab.downloadTo(folder.resolve("saved"));
            tab.open(console.url() + "/#/archive");

            // when
            tab.awaitText("a\"b").click("Size");

            // then
            tab.await("document.querySelector('th[aria-sort=ascending]') !== null");
            assertThat(tab.evaluate("document.querySelector('tbody tr').innerText")
                            .asText())
                    .contains("a\"b");

            // when
            tab.click("Save these rows as CSV");

            // then
            String file = tab.awaitDownload();
            assertThat(file).isEqualTo("archive.csv");
            assertThat(Files.readString(folder.resolve("saved").resolve(file)))
                    .startsWith("Deleted,Stream,Event,Type,Cause,Size\r\n")
                    .contains(",\"a\"\"b\",t,MAX_AGE,9\r\n")
                    .contains(",'=cmd,t,MAX_AGE,10\r\n");

            // when
            tab.open(console.url() + "/#/parked");

            // then
            tab.awaitText("orders/7").awaitText("schema 7");
            assertThat(tab.takeErrors())
                    .filteredOn(error -> !error.contains("404"))
                    .isEmpty();
        }
    }

    private static String archived(String record, String id, int bytes) {
        return """
                {"record":"%s","stream":"orders/1","id":"%s","type":"t","status":null,"execution":0,
                 "storedAt":"2026-11-01T00:00:00Z","occurredAt":null,"completedAt":null,"deletedAt":"2026-11-28T00:00:00Z",
                 "cause":"MAX_AGE","scope":"*","policyVersion":1,"sweepId":null,"commandId":null,"bytes":%d}""".formatted(record, id, bytes);
    }

    private static ApiServer server(LocalIssuer issuer) {
        Oidc oidc = Oidc.of(new OidcSettings(
                issuer.issuer(), Set.of("ebb"), List.of("roles"), Map.of(), "preferred_username", "ebb", "", null));
        return new ApiServer(
                new FakePorts().ports(),
                ApiSettings.at("127.0.0.1", 0),
                new ApiSecurity(
                        oidc.tokens(),
                        null,
                        Set.of("127.0.0.1"),
                        Set.of(),
                        ApiLimits.DEFAULT,
                        oidc.login().orElseThrow(),
                        new SecondPerson(false)),
                LoneServer.peers());
    }
}
