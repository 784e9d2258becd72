package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import java.nio.file.Path;
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
            new Screen("holds", "holds", "No hold is in force", "case-1"),
            new Screen("audit", "audit", "The audit is empty", "policy set"),
            new Screen("sweeps", "sweeps", "No sweep has found anything yet", "too old"),
            new Screen("map", "map", "all kept", "all kept"),
            new Screen("verify", "verify", "Nothing has been compared", "Nothing has been compared"),
            new Screen("rejected", "rejected", "No record is rejected", "No record is rejected"));

    private ConsoleStack stack;
    private Chromium chromium;
    private BrowserTab tab;
    private ConsolePage page;

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
    }

    private void signIn(BrowserTab newTab) throws InterruptedException {
        newTab.open(stack.url() + "/");
        newTab.fill("Token", stack.adminToken()).click("Enter").awaitText("root, admin");
    }

    @AfterAll
    void stop() {
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
            watcher.awaitText("of 49 fall");
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
            watcher.show().awaitText("of 29 fall");
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
        tab.click("Show the payload (11 B)").awaitText("\"total\": 1");
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
                viewer.awaitText(screen.full());
                for (String button : List.of(
                        "Change …",
                        "Set a policy …",
                        "Remove …",
                        "Place a hold …",
                        "Release case-1",
                        "Apply …",
                        "Sweep now …",
                        "Repair …")) {
                    assertThat(viewer.has(button))
                            .as(button + " on " + screen.name())
                            .isFalse();
                }
            }
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
            viewer.click("Forget token").awaitText("Enter your token");
        }
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

        // then a hold can be placed without the mouse
        tab.open(stack.url() + "/#/tide");
        tab.awaitText("By namespace");
        tab.tabTo("Skip to content").tabTo("Holds").press("Enter").awaitText("case-1");
        tab.tabTo("Place a hold …").press("Enter").await("document.querySelector('dialog[open]') !== null");
        tab.press("Escape").await("document.querySelector('dialog[open]') === null");
        tab.await("document.activeElement.textContent === 'Place a hold …'");
        tab.press("Enter").await("document.querySelector('dialog[open]') !== null");
        tab.tabTo("Case").type("case-2").tabTo("Covers").type("namespace:shop");
        tab.tabTo("Reason").type("by keys").tabTo("Place the hold").press("Enter");
        tab.awaitText("hold case-2").awaitText("by keys");
        page.picture(tab, "holds-two");
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
    @Tag("C-9")
    @Tag("C-10")
    void shouldSayWhatIsMissingWhileAnInstanceIsAway() throws Exception {
        // given
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
    }
}
