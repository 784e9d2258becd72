package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a Chromium, with all services behind it. The tests go on from each other: nothing, then something, then a
 * change, and at last an instance that is away. Pictures of each screen are left in {@code target/console}.
 */
@Tag("C-12")
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleIT {

    /** Each screen, and a text that it shows at last: with nothing, and with something. */
    private record Screen(String name, String place, String empty, String full) {}

    private static final List<Screen> SCREENS = List.of(
            new Screen("tide", "tide", "The tide is out", "By namespace"),
            new Screen("what-if", "what-if", "Nothing is stored", "would go at once"),
            new Screen("policies", "policies", "No policy is set", "Age above which events go"),
            new Screen("streams", "streams", "There are no streams yet", "shop/1"),
            new Screen("search", "search", "Events that match", "Events that match"),
            new Screen("holds", "holds", "No hold is in force", "case-1"),
            new Screen("audit", "audit", "The audit is empty", "policy set"),
            new Screen("sweeps", "sweeps", "No sweep has found anything yet", "too old"),
            new Screen("report", "report", "No event is overdue", "all streams (*)"),
            new Screen("erase", "erase", "Nothing was erased", "Nothing was erased"),
            new Screen("map", "map", "all kept", "all kept"),
            new Screen("verify", "verify", "Nothing has been compared", "Nothing has been compared"),
            new Screen("rejected", "rejected", "No record is rejected", "No record is rejected"),
            new Screen("archive", "archive", "Nothing is archived", "Nothing is archived"),
            new Screen("parked", "parked", "No record waits", "No record waits"),
            new Screen("commands", "commands", "No command is running", "No command is running"),
            new Screen("sources", "sources", "No source is in force", "No source is in force"));

    /** When something was painted, when the frame of the console was there, and what all of it took to load. */
    private static final String FIRST_PAINT = """
        (() => {
          const files = performance.getEntriesByType('resource').filter(one => !one.name.includes('/v1/'));
          return {
            paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1,
            frame: performance.getEntriesByName('frame')[0]?.startTime ?? -1,
            bytes: files.reduce((sum, one) => sum + one.encodedBodySize, 0),
            files: files.length,
          };
        })()\
        """;

    private ConsoleStack stack;
    private Chromium chromium;
    private BrowserTab tab;
    private ConsolePage page;
    private ConsoleChanges changes;
    private Path downloads;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Optional<Path> program = Chromium.program();
        if (program.isEmpty()) {
            System.out.println(
                    "ConsoleIT: skipped, for no Chromium is found; install the package chromium, or name one in"
                            + " the variable CHROMIUM");
        }
        Assumptions.assumeTrue(program.isPresent(), "no Chromium is found");
        page = new ConsolePage();
        stack = ConsoleStack.start(folder);
        chromium = Chromium.start(program.orElseThrow(), folder.resolve("browser"));
        tab = chromium.tab(1280, 900);
        signIn(tab);
        changes = new ConsoleChanges(stack, page, tab);
        downloads = Files.createDirectories(folder.resolve("downloads"));
    }

    private void signIn(BrowserTab newTab) {
        newTab.open(stack.url() + "/");
        newTab.fill("Token", stack.adminToken()).click("Enter").awaitText("root, admin");
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

    /** C-1: nothing is asked for elsewhere, and nothing fails. */
    @AfterEach
    void requireQuiet() {
        assertThat(tab.takeErrors()).isEmpty();
        assertThat(tab.requests())
                .allMatch(address -> address.startsWith(stack.url())
                        || address.startsWith(stack.otherUrl())
                        || address.startsWith("about:")
                        // A picture that the browser itself has for a field of a time.
                        || address.startsWith("data:")
                        || address.startsWith("blob:"));
    }

    @Test
    @Order(1)
    @Tag("C-10")
    void shouldTeachTheNextStepWhereThereIsNothing() throws Exception {
        for (Screen screen : SCREENS) {
            tab.open(stack.url() + "/#/" + screen.place());
            tab.awaitText(screen.empty());
            page.requireAccessible(tab, "empty " + screen.name());
            page.picture(tab, screen.name() + "-empty");
        }
    }

    @Test
    @Order(2)
    @Tag("C-3")
    @Tag("C-10")
    @Tag("C-11")
    void shouldShowEachScreenAtAnySizeInLightAndDark() throws Exception {
        // given
        ConsoleData.fill(stack);

        for (Screen screen : SCREENS) {
            // when
            tab.open(stack.url() + "/#/" + screen.place());
            tab.awaitText(screen.full());

            // then
            for (Map.Entry<Integer, Boolean> look :
                    Map.of(360, true, 1280, false, 2560, false).entrySet()) {
                tab.resize(look.getKey(), 900);
                tab.dark(look.getValue());
                page.requireFitting(tab);
                page.requireAccessible(tab, screen.name() + " at " + look.getKey());
                page.requireNothingTurned(tab, screen.name() + " at " + look.getKey());
                page.picture(tab, screen.name() + "-" + look.getKey());
            }
            tab.resize(1280, 900);
            tab.dark(false);
        }
    }

    @Test
    @Order(3)
    @Tag("C-4")
    @Tag("C-5")
    void shouldPutAPolicyInForceAndShowItsEffectEverywhere() throws Exception {
        // given a tide that another reader watches
        stack.awaitRows("shop", 40);
        try (BrowserTab watcher = chromium.tab(1280, 900)) {
            signIn(watcher);
            watcher.open(stack.url() + "/#/tide?range=month");
            watcher.awaitText("of 50 will go");
            tab.show();

            // when
            tab.open(stack.url() + "/#/policies/namespace%3Ashop");
            tab.click("Change …").fill("maxAge", "3x").awaitText("'3x' is not a duration");
            tab.fill("maxAge", "5d");
            tab.click("Put in force …").awaitText("would go with the next sweep");
            page.picture(tab, "policies-question");
            tab.fill("Reason", "less is enough").click("Put in force");
            tab.awaitText("In force: namespace shop").awaitText("by root");

            // then
            stack.awaitRows("shop", 20);
            watcher.show().awaitText("of 30 will go");
            assertThat(watcher.takeErrors()).isEmpty();
        }
        tab.open(stack.url() + "/#/audit");
        tab.awaitText("less is enough").awaitText("events: too old");
        tab.open(stack.url() + "/#/sweeps");
        tab.awaitText("too old");
    }

    @Test
    @Order(4)
    @Tag("C-4")
    void shouldRedrawTheTideForOtherLimitsAndApplyThePlan() throws Exception {
        // when
        tab.open(stack.url() + "/#/what-if?scope=namespace%3Ashop");
        tab.awaitText("Limits of namespace shop").awaitText("would go at once");
        tab.fill("maxAge", "2d").awaitText("14 events would go at once");
        tab.awaitText("The brake lets");
        page.picture(tab, "what-if-plan");
        tab.click("Apply …").fill("Reason", "two days do").click("Apply with this plan");

        // then
        tab.awaitText("In force: the policy of namespace shop");
        stack.awaitRows("shop", 6);
    }

    @Test
    @Order(5)
    @Tag("C-6")
    void shouldSayInWordsWhyAnEventStaysAndShowItsPayload() throws Exception {
        tab.open(stack.url() + "/#/streams/shop%2F1");
        tab.click("o-1-2")
                .awaitText("It stays until")
                .awaitText("then it is older than maxAge 2d, which namespace shop says");
        tab.click("Show the payload (11 B)").awaitText("\"total\": 1").awaitNoText("U+000A");
        tab.click("Hex").awaitText("7b 22 74");
        page.requireAccessible(tab, "event");
        page.picture(tab, "event");

        tab.open(stack.url() + "/#/streams/kept%2F1");
        tab.click("k-1").awaitText("It stays: a hold covers its stream");

        tab.open(stack.url() + "/#/streams/shop%2F1?event=o-1-2");
        tab.awaitText("It stays until");
        tab.click("Change TTL …")
                .fill("Time", "20d")
                .fill("Reason", "asked for")
                .click("Change its TTL");
        tab.awaitText("Its TTL is changed").awaitText("then its own TTL has passed");
    }

    @Test
    @Order(6)
    @Tag("C-2")
    void shouldOfferAViewerNothingThatWouldBeRefused() throws Exception {
        // given
        ConsoleData.wait(stack);
        String token = stack.token("vera", "viewer");
        BrowserTab viewer = chromium.tab(1280, 900);
        try (viewer) {
            viewer.open(stack.otherUrl() + "/");
            viewer.awaitText("Enter your token");
            page.picture(viewer, "token");

            // when
            viewer.fill("Token", "ebb_nonsense").click("Enter").awaitText("Unauthorized");
            viewer.fill("Token", token).click("Enter").awaitText("vera, viewer");

            // then
            for (Screen screen : SCREENS) {
                viewer.open(stack.otherUrl() + "/#/" + screen.place());
                viewer.awaitText(screen.place().equals("rejected") ? "held" : screen.full());
                requireNoChanges(viewer, screen.name());
            }
            viewer.open(stack.otherUrl() + "/#/policies/namespace%3Abulk");
            viewer.awaitText("An admin can confirm or withdraw it");
            requireNoChanges(viewer, "a waiting change");
            viewer.open(stack.otherUrl() + "/#/streams/shop%2F1?event=o-1-2");
            viewer.awaitText("which an operator may read");
            assertThat(viewer.has("Delete …") || viewer.has("Change TTL …") || viewer.has("Place a hold …"))
                    .isFalse();
            page.picture(viewer, "viewer");
            // the token is in no address, and in the store of this tab alone
            assertThat(viewer.requests()).noneMatch(address -> address.contains(token));
            assertThat(viewer.evaluate("JSON.stringify(localStorage) + document.cookie")
                            .asText())
                    .doesNotContain(token);
            assertThat(viewer.takeErrors()).isEmpty();
            viewer.click("Leave").awaitText("Enter your token");
        }
    }

    /** Whatever changes something ends with dots, since it asks first; and nothing on the page does. */
    private static void requireNoChanges(BrowserTab viewer, String where) {
        String named = "[...document.querySelectorAll('main button, main a.button')]"
                + ".map(b => b.getAttribute('aria-label') || b.textContent)";
        assertThat(viewer.evaluate(named + ".filter(name => name.endsWith('…')"
                        + " || /^(Release|Replay|Undo|Apply|Confirm|Withdraw|Repair|Delete)/.test(name))"))
                .as(where)
                .isEmpty();
    }

    @Test
    @Order(7)
    @Tag("C-10")
    void shouldDoWithTheKeyboardAlone() throws Exception {
        // given
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("By namespace");

        // when bars are chosen
        tab.evaluate("document.querySelector('.plot').focus()");
        tab.press("ArrowRight").press("ArrowRight").awaitText("Behind ");
        tab.pressWithShift("End").awaitText("Going");
        tab.press("Escape").await("!document.body.innerText.includes('Behind ')");

        // then a key that follows another one at once acts on the new screen, and in its question
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("By namespace");
        assertThat(tab.evaluate(focusAfter("location.hash = '#/holds'", "hashchange"))
                        .asText())
                .isEqualTo("MAIN");
        tab.await("[...document.querySelectorAll('h1')].some(h => h.textContent === 'Holds')");
        tab.evaluate("document.querySelector('.title button').focus()");
        assertThat(tab.evaluate(focusAfter("document.activeElement.click()", "click"))
                        .asText())
                .isEqualTo("INPUT");
        tab.press("Escape").await("document.querySelector('dialog') === null");

        // and a hold can be placed without the mouse
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("By namespace");
        tab.tabTo("Skip to content").tabTo("Holds").press("Enter").awaitText("Holds in force");
        tab.tabTo("Place a hold …").press("Enter").await("document.querySelector('dialog[open]') !== null");
        tab.press("Escape").await("document.querySelector('dialog[open]') === null");
        tab.await("document.activeElement.textContent === 'Place a hold …'");
        tab.press("Enter").await("document.querySelector('dialog[open]') !== null");
        tab.tabTo("Case").type("case-2").tabTo("Covers").type("namespace:shop");
        tab.tabTo("Reason").type("by keys").tabTo("Place the hold").press("Enter");
        tab.awaitText("hold case-2").awaitText("by keys");
        page.picture(tab, "holds-two");
    }

    /** Name of the element that has the focus as soon as the page has taken an event, and before it paints. */
    private static String focusAfter(String act, String event) {
        return """
                new Promise(done => {
                  addEventListener('%s', async () => {
                    for (let i = 0; i < 20; i++) {
                      await null;
                    }
                    done(document.activeElement.tagName);
                  }, { once: true });
                  %s;
                })\
                """.formatted(event, act);
    }

    @Test
    @Order(8)
    @Tag("C-11")
    void shouldShowHostileNamesAsTheyAre() throws Exception {
        tab.open(stack.url() + "/#/streams?namespace=evil");
        tab.awaitText(ConsoleData.SCRIPT)
                .awaitText(ConsoleData.IMAGE)
                .awaitText(ConsoleData.LONG)
                .awaitText("evil/U+202Eright-to-left");
        page.requireFitting(tab);
        page.picture(tab, "streams-hostile");
        tab.click("evil/U+202Eright-to-left").awaitText("<b>id</b>");
        page.requireNothingTurned(tab, "a stream whose name turns");
        tab.open(stack.url() + "/#/what-if?scope=namespace%3A" + ConsoleStack.segment(ConsoleData.TURNED_SPACE));
        tab.awaitText("Limits of namespace turnU+202Eed")
                .await("[...document.querySelectorAll('option')].some(o => o.textContent === 'namespace"
                        + " turnU+202Eed')");
        page.requireNothingTurned(tab, "what if of a namespace whose name turns");
        for (String stream : List.of(ConsoleData.SCRIPT, ConsoleData.IMAGE, ConsoleData.LONG)) {
            tab.open(stack.url() + "/#/streams");
            tab.fill("Name begins with", stream).click(stream);
            tab.awaitText("<b>id</b>").click("<b>id</b>").awaitText("It stays until");
            tab.click("Show the payload (25 B)").awaitText("<script>alert(2)</script>");
        }
        assertThat(tab.evaluate("document.title").asText()).isNotEqualTo("owned");
        assertThat(tab.evaluate("document.querySelectorAll('#app img, #app script').length")
                        .asInt())
                .isZero();
    }

    @Test
    @Order(9)
    @Tag("C-9")
    void shouldCompareStoresWithSql() throws Exception {
        tab.open(stack.url() + "/#/verify");
        tab.click("Compare").awaitText("Stores and SQL are equal");
        page.picture(tab, "verify-done");
    }

    @Test
    @Order(10)
    @Tag("C-7")
    @Tag("C-2")
    void shouldPlaceAndReleaseAHold() throws Exception {
        changes.placeAndReleaseAHold();
    }

    @Test
    @Order(11)
    @Tag("C-9")
    void shouldReplayARejectedRecord() throws Exception {
        changes.replayARejectedRecord();
    }

    @Test
    @Order(12)
    @Tag("C-5")
    @Tag("C-8")
    @Tag("T-2")
    void shouldWithdrawConfirmAndUndoAChange() throws Exception {
        changes.withdrawConfirmAndUndoAChange();
    }

    @Test
    @Order(13)
    @Tag("C-8")
    void shouldFindRecordsOfTheAudit() throws Exception {
        changes.findRecords();
    }

    @Test
    @Order(14)
    @Tag("C-6")
    @Tag("C-8")
    @Tag("T-2")
    void shouldDeleteAnEventAndAStreamAndUndoBoth() throws Exception {
        changes.deleteAndUndo();
    }

    @Test
    @Order(15)
    @Tag("C-8")
    @Tag("T-9")
    void shouldDownloadAReceipt() throws Exception {
        changes.downloadAReceipt(downloads);
    }

    @Test
    @Order(16)
    @Tag("R-15")
    @Tag("T-10")
    @Tag("O-23")
    void shouldEraseWhatAConditionNames() throws Exception {
        changes.eraseAPerson();
    }

    @Test
    @Order(17)
    @Tag("C-9")
    void shouldRepairSql() throws Exception {
        changes.repairSql();
    }

    @Test
    @Order(18)
    @Tag("C-10")
    @Tag("C-4")
    void shouldChangeAPolicyByKeys() throws Exception {
        changes.changeAPolicyByKeys();
    }

    @Test
    @Order(19)
    @Tag("C-10")
    void shouldShowEachTimeOnceInTheZoneThatIsChosen() throws Exception {
        // given a zone that differs by hours and minutes
        try (BrowserTab far = chromium.tab(1280, 900)) {
            far.zone("Asia/Kathmandu");
            signIn(far);

            // when
            far.open(stack.url() + "/#/audit");
            far.awaitText("Records").await("document.querySelector('main td time, main th time') !== null");

            // then
            requireClocks(far, ZoneId.of("Asia/Kathmandu"));
            page.picture(far, "audit-far-away");
            far.click("UTC");
            requireClocks(far, ZoneOffset.UTC);
        }
    }

    private static void requireClocks(BrowserTab far, ZoneId zone) {
        JsonNode times = far.evaluate("[...document.querySelectorAll('main td time, main th time')].slice(0, 20)"
                + ".map(t => [t.dateTime, t.textContent.replaceAll('\\u00a0', ' ')])");
        assertThat(times).isNotEmpty().allSatisfy(time -> {
            Instant at = Instant.parse(time.get(0).asText());
            DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss").withZone(zone);
            assertThat(time.get(1).asText()).endsWith(clock.format(at));
        });
    }

    @Test
    @Order(20)
    @Tag("C-10")
    void shouldAskForNothingInAHiddenTab() throws Exception {
        // given
        tab.open(stack.url() + "/#/map");
        tab.awaitText("all kept").awaitRequests("/v1/instances", 2);

        try (BrowserTab seen = chromium.tab(1280, 900)) {
            // when another tab is in front, for so long that it asks several times
            signIn(seen);
            tab.await("document.hidden");
            long before = tab.requested("/v1/");
            seen.open(stack.url() + "/#/map");
            seen.awaitText("all kept");
            seen.awaitRequests("/v1/instances", (int) seen.requested("/v1/instances") + 4);

            // then
            assertThat(tab.requested("/v1/")).isEqualTo(before);
        }

        // when it is seen again
        int asked = (int) tab.requested("/v1/instances");
        tab.show().awaitRequests("/v1/instances", asked + 1);
    }

    /** C-1: measured and reported, not required: the machine may be busy. */
    @Test
    @Order(21)
    @Tag("C-1")
    void shouldReportItsFirstPaint() {
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("By namespace");
        JsonNode figures = tab.evaluate(FIRST_PAINT);
        System.out.printf(
                "ConsoleIT: first paint after %.0f ms, the first screen after %.0f ms, %d KiB in %d requests%n",
                figures.path("paint").asDouble(),
                figures.path("frame").asDouble(),
                figures.path("bytes").asLong() >> 10,
                figures.path("files").asInt());
        assertThat(figures.path("paint").asDouble()).isPositive();
    }

    @Test
    @Order(22)
    @Tag("C-9")
    @Tag("C-10")
    void shouldSayWhatIsMissingWhileAnInstanceIsAway() throws Exception {
        // given two pages, one of each instance
        BrowserTab left = chromium.tab(1280, 900);
        left.open(stack.otherUrl() + "/");
        left.fill("Token", stack.adminToken()).click("Enter").awaitText("root, admin");
        left.awaitText("By namespace");
        tab.open(stack.url() + "/#/map");
        tab.awaitText("all kept");

        // when
        stack.killOther();

        // then
        tab.awaitText("An instance does not answer");
        page.requireAccessible(tab, "map while an instance is away");
        page.picture(tab, "map-away");
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("An instance does not answer");
        page.picture(tab, "tide-away");

        // and what the page of the lost instance has shown stays, with a word that it is old
        left.show().awaitText("what you see may be old").awaitText("By namespace");
        page.requireAccessible(left, "a page whose instance is gone");
        page.picture(left, "tide-lost");
        left.close();
    }
}
