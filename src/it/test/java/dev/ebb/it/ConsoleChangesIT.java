package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes by the console that must not become others: what is confirmed there is what happens. */
@Tag("C-2")
@Tag("C-12")
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleChangesIT {

    /** More than the brake lets go of a scope. */
    private static final int MANY = 150;

    private ConsoleStack stack;
    private ConsolePage page;
    private Chromium chromium;
    private BrowserTab tab;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Optional<Path> program = Chromium.program();
        Assumptions.assumeTrue(program.isPresent(), "no Chromium is found");
        page = new ConsolePage();
        stack = ConsoleStack.start(folder);
        chromium = Chromium.start(program.orElseThrow(), folder.resolve("browser"));
        tab = chromium.tab(1280, 900);
        tab.open(stack.url() + "/");
        tab.fill("Token", stack.adminToken()).click("Enter").awaitText("root, admin");
    }

    @AfterAll
    void stop() throws Exception {
        if (chromium != null) {
            tab.close();
            chromium.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    /** A release that waits is taken back by the hold as it is, and not by one more release. */
    @Test
    @Tag("C-5")
    @Tag("O-8")
    void shouldKeepAHoldWhoseReleaseIsWithdrawn() throws Exception {
        // given
        stack.put("/v1/holds/LIT?anyway=true", "{\"covers\":\"namespace:lit\",\"reason\":\"a matter\"}");
        stack.put("/v1/policies/namespace:lit", "{\"maxAge\":\"1s\",\"anchor\":\"occurred\",\"undo\":\"none\"}");
        for (int i = 0; i < MANY; i++) {
            stack.send("lit/1", "e-" + i, Instant.now().minusSeconds(60), "");
        }
        stack.awaitRows("lit", MANY);
        stack.delete("/v1/holds/LIT?reason=over");
        Await.until(
                "the release waits",
                () -> stack.json("/v1/policies/waiting").toString().contains("hold:LIT")
                        ? ""
                        : stack.json("/v1/policies/waiting").toString());

        // when
        tab.open(stack.url() + "/#/policies");
        tab.awaitText("Waiting for a confirmation");
        tab.click("Withdraw …").awaitText("The hold stays as it is");
        tab.fill("Reason", "not over").click("Withdraw").awaitText("Withdrawn: version");

        // then
        assertThat(stack.json("/v1/policies/waiting").path("waiting")).isEmpty();
        assertThat(stack.json("/v1/holds").path("holds")).hasSize(1);
        assertThat(stack.json("/v1/holds/LIT").path("reason").asText())
                .isEqualTo("a matter; a change withdrawn: not over");
        assertThat(stack.rows("lit")).isEqualTo(MANY);
    }

    /** A browser takes '..' for the folder above, so that the event would be its stream. */
    @Test
    @Tag("C-11")
    void shouldDeleteAnEventOfDotsAndNotItsStream() throws Exception {
        // given
        for (String id : List.of("..", "~..", "other")) {
            stack.send("dots/1", id, Instant.now(), "");
        }
        stack.awaitRows("dots", 3);

        // when
        tab.open(stack.url() + "/#/streams/dots%2F1?event=..");
        tab.awaitText("It stays until");
        tab.evaluate("[...document.querySelectorAll('[aria-label=\"Event\"] button')]"
                + ".find(b => b.textContent === 'Delete …').click()");
        tab.awaitText("1 event (").fill("Reason", "dots").click("Delete").awaitText("1 event went, by root");
        tab.click("Close");

        // then
        stack.awaitRows("dots", 2);
        tab.open(stack.url() + "/#/streams/dots%2F1?event=~..");
        tab.awaitText("It stays until").awaitText("other");
        assertThat(tab.requests())
                .anyMatch(address -> address.contains("dots%2F1/events/~.."))
                .noneMatch(address -> address.matches(".*/dots%2F1/(\\?.*)?"));
        assertThat(tab.takeErrors()).isEmpty();
    }

    /** C-5: what a policy would delete is shown before, and confirmed with it: the brake asks for nothing more. */
    @Test
    @Tag("C-5")
    @Tag("T-6")
    @Tag("T-7")
    void shouldPutAPolicyInForceByItsPlanAndRemoveItByAnotherOne() throws Exception {
        // given
        stack.put("/v1/policies/namespace:plan", "{\"maxAge\":\"unlimited\",\"anchor\":\"occurred\"}");
        for (int i = 0; i < MANY; i++) {
            stack.send("plan/1", "e-" + i, Instant.now().minusSeconds(i < MANY / 2 ? 864_000 : 3_456_000), "");
        }
        stack.awaitRows("plan", MANY);

        // when
        tab.open(stack.url() + "/#/policies/namespace%3Aplan");
        tab.click("Change …").fill("maxAge", "30d").fill("undo", "none").click("Put in force …");
        tab.awaitText("75 events (").awaitText("would go with the next sweep").awaitText("More than the brake lets go");
        page.requireAccessible(tab, "dialog-policy");
        page.picture(tab, "dialog-policy");
        assertThat(stack.rows("plan")).isEqualTo(MANY);
        tab.fill("Reason", "a month is enough").click("Put in force");

        // then
        tab.awaitText("In force: namespace plan").awaitNoText("Waiting for a confirmation");
        stack.awaitRows("plan", MANY / 2);
        assertThat(sent("/v1/policies:apply")).contains("plan=");
        assertThat(sent("/v1/policies/namespace%3Aplan")).isEmpty();

        // when: the built-in policy is as long, but counts from the time of storing
        tab.click("Remove …").awaitText("Nothing goes at once").awaitText("inherited");
        tab.fill("Reason", "not needed").click("Remove").awaitText("In force: namespace plan");

        // then
        tab.awaitText("It has no policy of its own");
        assertThat(sent("/v1/policies:apply")).contains("prune=true", "plan=");
        assertThat(stack.json("/v1/policies").toString()).doesNotContain("namespace:plan");
        assertThat(stack.rows("plan")).isEqualTo(MANY / 2);
    }

    /** Last address that was asked for on that path, except by reading; empty if none was. */
    private String sent(String path) {
        return tab.requests().stream()
                // A picture of the browser's own, which a page asks for as well, has no path.
                .filter(address -> path.equals(URI.create(address).getRawPath()))
                .reduce("", (former, address) -> address);
    }

    /** C-4: plans cost all partitions a count: while one types there is one at a time, and the last one is of what is typed. */
    @Test
    @Tag("C-4")
    void shouldPlanOneAfterTheOther() throws Exception {
        // given
        for (int i = 0; i < 3; i++) {
            stack.send("typed/1", "e-" + i, Instant.now().minusSeconds(864_000), "");
        }
        stack.put("/v1/policies/namespace:typed", "{\"maxAge\":\"unlimited\",\"anchor\":\"occurred\"}");
        stack.awaitRows("typed", 3);
        tab.open(stack.url() + "/#/what-if?scope=namespace%3Atyped");
        tab.awaitText("Limits of namespace typed").awaitText("would go at once");
        assertThat(tab.requests()).noneMatch(address -> address.contains("policies:plan"));
        tab.evaluate("(() => { const real = window.fetch; window.plans = []; window.most = 0; let now = 0;"
                + " window.fetch = async (url, how) => { if (!url.includes('policies:plan')) { return real(url, how); }"
                + " window.plans.push(how.body); now++; window.most = Math.max(window.most, now);"
                + " const answer = await real(url, how); await new Promise(done => { window.go = done;"
                + " document.body.dataset.made = window.plans.length; });"
                + " now--; return answer; }; })()");

        // when: a plan is under way, and two more limits are typed while it is
        tab.fill("maxAge", "20d").await("document.body.dataset.made === '1'");
        tab.fill("maxAge", "15d").await("document.querySelector('main pre').textContent.includes('15d')");
        tab.fill("maxAge", "5d");
        tab.awaitText("3 events would go at once");
        tab.evaluate("window.go()");
        tab.await("document.body.dataset.made === '2'").evaluate("window.go()");

        // then
        tab.await("[...document.querySelectorAll('button')].some(b => b.textContent === 'Apply …' && !b.disabled)");
        assertThat(tab.evaluate("window.most").asInt()).isEqualTo(1);
        assertThat(tab.evaluate("window.plans.length").asInt()).isEqualTo(2);
        assertThat(tab.evaluate("window.plans[1]").asText()).contains("5d");
    }

    /** A page of the audit may end without a row although more follow: the search goes on, and says so where it ends. */
    @Test
    @Tag("C-8")
    void shouldSearchOnWhereAPageHasNoRow() {
        // given: two pages without a row, and one with a row
        String given = "const pages = { undefined: { rows: [], next: 'a' }, a: { rows: [], next: 'b' },"
                + " b: { rows: [{ auditId: 'x' }], next: null } }; const m = await import("
                + "[...document.querySelectorAll('link')].map(l => l.href).find(h => h.endsWith('/live.js')));"
                + " const load = async (after) => pages[after];";

        // when
        String whole = tab.evaluate("(async () => { " + given + " return JSON.stringify(await m.searchOn(load)); })()")
                .asText();
        String first = tab.evaluate("(async () => { " + given
                        + " return JSON.stringify(await m.searchOn(load, undefined, 5, 1)); })()")
                .asText();

        // then
        assertThat(whole).isEqualTo("{\"rows\":[{\"auditId\":\"x\"}],\"next\":null}");
        assertThat(first).isEqualTo("{\"rows\":[],\"next\":\"a\"}");
    }

    /** A count that takes long is waited for: until then nothing is said, and nothing can be confirmed. */
    @Test
    @Tag("T-6")
    void shouldAskOnlyOnceTheCountIsDone() throws Exception {
        // given
        for (int i = 0; i < 3; i++) {
            stack.send("slow/1", "e-" + i, Instant.now(), "");
        }
        stack.awaitRows("slow", 3);
        tab.open(stack.url() + "/#/streams/slow%2F1");
        tab.awaitText("e-1");
        tab.evaluate("(() => { const real = window.fetch; window.asked = [];"
                + " window.fetch = (url, how) => { const first = url.includes('dryRun=true') ? url + '&wait=0s' : url;"
                + " window.asked.push(how.method + ' ' + first); return real(first, how); }; })()");

        // when
        tab.click("Delete …").awaitText("3 events").awaitText("would go, and nothing else");
        tab.fill("Reason", "all of it").click("Delete").awaitText("went, by root");

        // then
        assertThat(tab.evaluate("window.asked.filter(one => one.startsWith('DELETE')).pop()")
                        .asText())
                .contains("plan=");
        assertThat(tab.evaluate("window.asked.some(one => one.startsWith('GET /v1/commands/'))")
                        .asBoolean())
                .isTrue();
        stack.awaitRows("slow", 0);
    }
}
