package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.console.CannedConsole;
import dev.ebb.browser.BrowserTab;
import dev.ebb.browser.Chromium;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Figures, words and places of the console, for answers that are given: each page says no more than it was told. */
@Tag("O-25")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleFiguresIT {

    private static final long HOUR = 3_600_000;
    private static final String NOTHING = "{\"events\":0,\"bytes\":0}";
    private static final String ROUTES = "\"GET /v1/history\",\"GET /v1/forecast/streams\",\"GET /v1/rejected\","
            + "\"GET /v1/trash\",\"POST /v1/sweeps\",\"PUT /v1/holds/{case}\",\"DELETE /v1/holds/{case}\"";

    private ConsolePage page;
    private Chromium chromium;
    private CannedConsole console;
    private BrowserTab tab;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Optional<Path> program = Chromium.program();
        Assumptions.assumeTrue(program.isPresent(), "no Chromium is found");
        page = new ConsolePage();
        chromium = Chromium.start(program.orElseThrow(), folder.resolve("browser"));
    }

    @AfterAll
    void stop() throws Exception {
        if (chromium != null) {
            chromium.close();
        }
    }

    /** Each test has an address of its own, and so nothing of what another one kept in the browser. */
    @BeforeEach
    void open() throws Exception {
        console = new CannedConsole();
        me("admin", ROUTES);
        console.answer("/v1/instances", "{\"concerns\":[]}");
        console.answer("/v1/rejected", "{\"rejected\":[],\"next\":null}");
        console.answer("/v1/namespaces", "{\"namespaces\":[],\"unanswered\":[]}");
        console.answer(
                "/v1/history",
                "{\"buckets\":[],\"namespaces\":[],\"others\":[],\"deleted\":" + NOTHING
                        + ",\"complete\":true,\"since\":0,\"preciseFrom\":0}");
        console.answer(
                "/v1/forecast/streams",
                "{\"at\":0,\"exact\":true,\"streamsInAll\":0,\"due\":" + NOTHING
                        + ",\"streams\":[],\"next\":null,\"unanswered\":[]}");
        tab = chromium.tab(1280, 900);
    }

    @AfterEach
    void close() {
        assertThat(tab.takeErrors()).filteredOn(error -> !error.contains("404")).isEmpty();
        tab.close();
        console.close();
    }

    private void me(String role, String routes) {
        console.answer(
                "/v1/me",
                "{\"name\":\"vera\",\"roles\":[\"" + role + "\"],\"payloads\":true,\"routes\":[" + routes + "]}");
    }

    private BrowserTab at(String place) {
        tab.open(console.url() + "/#/" + place);
        return tab;
    }

    /** A forecast of 10,000 events, of which 314 fall due in the first bucket. */
    private static String forecast(long read) {
        long from = System.currentTimeMillis() / HOUR * HOUR;
        String buckets = IntStream.range(0, 24)
                .mapToObj(i -> "{\"from\":%d,\"to\":%d}".formatted(from + i * HOUR, from + (i + 1) * HOUR))
                .collect(Collectors.joining(","));
        String due = IntStream.range(0, 24)
                .mapToObj(i ->
                        "{\"events\":%d,\"bytes\":%d,\"exact\":true}".formatted(i == 0 ? 314 : 0, i == 0 ? 999 : 0))
                .collect(Collectors.joining(","));
        return """
                {"at":%d,"from":%d,"to":%d,"stepMs":3600000,"exact":true,"partitionsMissing":0,"windows":false,
                 "stored":{"events":10000,"bytes":50000},"readEvents":%d,"buckets":[%s],
                 "namespaces":[{"namespace":"promo","stored":{"events":10000,"bytes":50000},"overdue":%s,"sooner":%s,
                   "due":[%s],"later":%s,"never":%s}],
                 "others":null,"unanswered":[]}""".formatted(
                        System.currentTimeMillis(),
                        from,
                        from + 24 * HOUR,
                        read,
                        buckets,
                        NOTHING,
                        NOTHING,
                        due,
                        NOTHING,
                        NOTHING);
    }

    @Test
    void shouldShowNoFigureBeforeMostOfItIsRead() throws Exception {
        // given
        console.answer("/v1/forecast", forecast(400));

        // then
        at("tide").awaitText("The due times of 4 % of 10,000 events have been read so far");
        assertThat(tab.text()).contains("is not known yet").doesNotContain("314 events");
        page.requireAccessible(tab, "tide that is still being read");

        // when
        console.answer("/v1/forecast", forecast(10_000));

        // then
        at("tide").awaitText("314 events (999 B) of 10,000 will go in the next 24 hours");
        assertThat(tab.text()).doesNotContain("read so far");
    }

    /** The headline, the table below it and the list of streams speak of the same events. */
    @Test
    void shouldCountWhatIsOverdueAmongWhatGoes() throws Exception {
        // given
        console.answer(
                "/v1/forecast",
                forecast(10_000).replace("\"overdue\":" + NOTHING, "\"overdue\":{\"events\":6,\"bytes\":1}"));

        // then
        at("tide").awaitText("320 events (1,000 B) of 10,000 will go in the next 24 hours");
    }

    /** Events of an instance that is away are in no figure, and each sentence says so. */
    @Test
    void shouldCountOnlyWhatCanBeReadWhileAnInstanceIsAway() throws Exception {
        // given
        String away = "\"unanswered\":[{\"instance\":\"i-2\",\"reason\":\"nothing listens there\"}]";
        console.answer("/v1/forecast", forecast(10_000).replace("\"unanswered\":[]", away));
        console.answer(
                "/v1/namespaces",
                "{\"namespaces\":[{\"namespace\":\"promo\",\"streams\":3,\"events\":450,\"bytes\":1}]," + away + "}");
        console.answer("/v1/holds", """
                {"holds":[{"case":"LIT","covers":"namespace:promo","reason":"r","placedBy":"p","placedAt":"2026-01-01T00:00:00Z"}]}""");

        // then
        at("tide").awaitText("314 events (999 B) of the 10,000 that can be read now will go");
        at("holds").awaitText("at least 450");
    }

    /** A search says of an event what its stream says. */
    @Test
    void shouldSayOfHeldEventsThatAreFoundThatTheyStay() throws Exception {
        // given
        console.answer("/v1/events", """
                {"events":[{"stream":"promo/7","id":"e7","type":"order","storedAt":"2026-01-01T00:00:00Z",
                  "occurredAt":"2026-01-01T00:00:00Z","payloadBytes":7,"dueAt":"2026-01-02T00:00:00Z","expired":false,"fate":"held"}],
                 "next":null}""");

        // when
        at("search")
                .awaitText("Events that match")
                .fill("Key", "user")
                .fill("Is exactly", "7")
                .click("Find events");

        // then
        tab.awaitText("1 event found");
        assertThat(tab.evaluate("document.querySelector('[aria-label=\"Events found\"] tbody tr').innerText")
                        .asText())
                .contains("held")
                .doesNotContain("2026", "Jan 2");
    }

    /** Copies in the archive and the trash go although no stored event is left of a person. */
    @Test
    @Tag("C-8")
    void shouldEraseCopiesOfEventsThatHadGoneBefore() throws Exception {
        // given
        me("eraser", "\"POST /v1/erase\",\"GET /v1/erase\"");
        console.answer("/v1/erase", "{\"erasures\":[],\"next\":null}");
        console.answer("/v1/erase?dryRun=true", """
                {"commandId":"c-1","verb":"erase","state":"DONE","dryRun":true,"detail":"12 copies of events that had gone before would go as well",
                 "outcome":{"kind":"deleted","eventsDeleted":0,"bytesDeleted":0},"plan":{"planId":"p-1","events":12}}""");

        // when
        at("erase").awaitText("Erase events that match").fill("Key", "user").fill("Is exactly", "7");
        tab.fill("Case", "GDPR-7").click("Count what would go …").awaitText("No stored event would go. 12 copies");

        // then
        assertThat(tab.text()).contains("Nothing brings them back");
        tab.await("[...document.querySelectorAll('dialog button')].some(b => b.textContent === 'Erase')");
    }

    /** Two people erase where that is a setting: the maker of a plan hands it over, and the other one carries it out. */
    @Test
    @Tag("R-11")
    void shouldHandThePlanOfAnErasureToAnotherPerson() throws Exception {
        // given
        second("eva");
        console.answer("/v1/erase", "{\"erasures\":[],\"next\":null}");
        console.answer("/v1/erase?dryRun=true", planOfEva(true));
        console.answer("/v1/commands/p-1", planOfEva(true));

        // when
        at("erase").awaitText("Erase events that match").fill("Key", "user").fill("Is exactly", "7");
        tab.fill("Case", "GDPR-7").click("Count what would go …");

        // then
        tab.awaitText("Another person carries it out").awaitText("plan p-1");
        tab.await("document.querySelector('dialog a').hash === '#/erase?plan=p-1'");
        assertThat(tab.evaluate("[...document.querySelectorAll('dialog button')].map(b => b.textContent).join()")
                        .asText())
                .isEqualTo("Close");

        // when
        second("max");
        console.answer("/v1/erase?plan=p-1&reason=art.+17&actor=max&wait=30s", planOfEva(false));
        tab.close();
        tab = chromium.tab(1280, 900);
        at("erase?plan=p-1").awaitText("Carry out the plan of another person").click("Show what would go …");

        // then
        tab.awaitText("Planned by eva").awaitText("3 events");
        tab.fill("Reason", "art. 17").click("Erase");
        tab.awaitText("3 events went, by max");
        assertThat(console.asked()).contains("POST /v1/erase?plan=p-1&reason=art.+17&actor=max&wait=30s");
    }

    /** The id of any other command is no plan that could be carried out. */
    @Test
    @Tag("R-11")
    void shouldTakeNoOtherCommandForThePlanOfAnErasure() throws Exception {
        // given
        second("max");
        console.answer("/v1/erase", "{\"erasures\":[],\"next\":null}");
        console.answer("/v1/commands/c-9", planOfEva(true).replace("\"erase\"", "\"purge\""));

        // when
        at("erase").awaitText("Carry out the plan of another person").fill("Plan", "c-9");
        tab.click("Show what would go …");

        // then
        tab.awaitText("c-9 is not the plan of a command of the kind erase");
    }

    private void second(String name) {
        console.answer(
                "/v1/me",
                "{\"name\":\"" + name + "\",\"roles\":[\"eraser\"],\"payloads\":false,\"secondPerson\":true,"
                        + "\"routes\":[\"POST /v1/erase\",\"GET /v1/erase\"]}");
    }

    private static String planOfEva(boolean isDry) {
        return """
                {"commandId":"p-1","verb":"erase","state":"DONE","dryRun":%s,"detail":"",
                 "outcome":{"kind":"deleted","eventsDeleted":3,"bytesDeleted":30},
                 "plan":{"planId":"p-1","madeBy":"eva","sweepPoint":"2026-11-28T10:00:00Z","expiresAt":"2026-11-28T12:00:00Z","events":3}}
                """.formatted(isDry);
    }

    /** The detail of a rejected record may quote what a viewer must not see. */
    @Test
    void shouldNotTakeAWithheldDetailForAReason() throws Exception {
        // given
        console.answer(
                "/v1/me", "{\"name\":\"vera\",\"roles\":[\"viewer\"],\"payloads\":false,\"routes\":[" + ROUTES + "]}");
        console.answer("/v1/rejected", """
                {"rejected":[{"id":"r-1","detail":"only an operator may read it","reason":"BAD_TIME","rejectedAt":"2026-11-28T11:00:00Z","topic":"t","partition":0,"offset":1,"bytes":3}],"next":null}""");
        console.answer("/v1/holds", "{\"holds\":[]}");

        // then
        at("holds").awaitText("1 record was rejected in the last 7 days, the newest for the reason ‘bad time’.");
    }

    /** The scale and the summary of a policy show the fields that it has, whatever they are. */
    @Test
    void shouldShowAnAgeOffTheScaleAndEachRule() throws Exception {
        at("holds").awaitText("vera");

        assertThat(tab.evaluate("import('" + console.module("what-if.js") + "').then(m => JSON.stringify("
                                + "['1m', '59d', '60d', '3650d', '731d', 'unlimited', '1s', '2mo'].map(m.onScale)))")
                        .asText())
                .isEqualTo("[\"1m\",\"30d\",\"60d\",\"730d\",\"730d\",\"unlimited\",\"1m\",\"60d\"]");
        assertThat(tab.evaluate(
                                "import('" + console.module("scopes.js") + "').then(m => m.summary("
                                        + "{ scope: '*', maxTtl: '30s', confirmed: true, updatedBy: 'eva', reason: 'r', window: null }))")
                        .asText())
                .isEqualTo("maxTtl 30s");
    }

    @Test
    void shouldShowATimeThatIsChosenInFieldsOrByDragging() throws Exception {
        // given
        console.answer("/v1/forecast", forecast(10_000));
        at("tide").awaitText("314 events");

        // when
        tab.fill("From", "2030-05-01T08:00:00")
                .fill("To", "2030-05-01T09:00:00")
                .click("Show this time");

        // then
        tab.await("location.hash.includes('start=')");
        String start = tab.evaluate("encodeURIComponent(new Date(2030, 4, 1, 8).toISOString())")
                .asText();
        String end = tab.evaluate("encodeURIComponent(new Date(2030, 4, 1, 9).toISOString())")
                .asText();
        for (String asked : List.of(
                "/v1/forecast?from=" + start + "&to=" + end + "&step=2m",
                "/v1/forecast/streams?from=" + start + "&to=" + end + "&limit=20")) {
            tab.await("performance.getEntriesByType('resource').some(one => one.name.endsWith('" + asked + "'))");
        }

        // when bars are dragged over
        at("tide").awaitText("314 events");
        tab.evaluate("document.querySelector('.plot').focus()");
        tab.press("ArrowRight").await("location.hash.includes('from=')");

        // then
        tab.await("[...document.querySelectorAll('label')].find(l => l.textContent === 'To').control.value !== ''");
        tab.click("Show this time").await("location.hash.includes('start=')");
    }

    @Test
    void shouldHaveTheWordOfTheServerForEachEvent() throws Exception {
        // given
        String past = "2026-01-01T00:00:00Z";
        String policy = "{\"maxAge\":{\"value\":\"1d\",\"scope\":\"*\",\"version\":null}}";
        console.answer("/v1/streams/kept%2F1", """
                {"usage":%s,"standing":{"open":false,"currentExecution":0,"openExecutions":0},"policy":%s}""".formatted(stream("kept/1", 4, true, null), policy));
        console.answer(
                "/v1/streams/kept%2F1/explain",
                "{\"policy\":" + policy + ",\"holds\":[],\"blocks\":[],\"event\":null}");
        console.answer(
                "/v1/streams/kept%2F1/events",
                "{\"events\":["
                        + List.of("held", "kept", "guarded", "goes").stream()
                                .map(fate ->
                                        "{\"id\":\"is-%s\",\"type\":\"t\",\"bytes\":9,\"storedAt\":\"%s\",\"dueAt\":\"%s\",\"expired\":%s,\"fate\":\"%s\"}"
                                                .formatted(fate, past, past, fate.equals("goes"), fate))
                                .collect(Collectors.joining(","))
                        + "],\"next\":null}");

        // then
        at("streams/kept%2F1").awaitText("is-held");
        assertThat(tab.evaluate("[...document.querySelectorAll('[aria-label=Events] tbody tr')]"
                        + ".map(row => row.cells[5].textContent)"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "held", "kept: its policy only warns", "guarded: among the last", "goes with the next sweep");
    }

    @Test
    void shouldCountOnlyWhatASweepDeletes() throws Exception {
        // given
        console.answer("/v1/sweeps", """
                {"sweeps":[],"next":null,"commandId":"c-1","verb":"sweep","state":"DONE","detail":"","dryRun":true,
                 "outcome":{"kind":"swept","eventsDeleted":0,"bytesDeleted":0,"wouldDelete":479,"wouldDeleteBytes":4790,
                 "keptByWarn":479,"keptByWarnBytes":4790,
                 "streamsSkipped":{}},
                 "plan":{"planId":"p-1"}}""");

        // when
        at("sweeps").click("Sweep now …");

        // then
        tab.awaitText("Nothing would go").awaitText("479 more events are due and stay: their policies only warn");
        assertThat(tab.text()).doesNotContain("479 events");
        assertThat(tab.has("Sweep now")).isFalse();
        page.requireAccessible(tab, "sweep of nothing");
    }

    @Test
    @Tag("O-26")
    void shouldSayOnEveryPageWhatWaitsAndWhoMayAct() throws Exception {
        // given
        me("viewer", "\"GET /v1/rejected\", \"GET /v1/trash\"");
        console.answer("/v1/instances", """
                {"concerns":[
                  {"what":"CHANGE_WAITS","text":"the change of hold:LIT waits for a confirmation: 150 events","since":"2026-11-28T10:00:00Z","role":"admin"},
                  {"what":"PARTITIONS_AWAY","text":"2 partitions cannot be read: 3, 7","since":null,"role":null}]}""");
        console.answer("/v1/rejected", """
                {"rejected":[{"id":"r-1","detail":"it has no id","reason":"NO_ID","rejectedAt":"2026-11-28T11:00:00Z","topic":"t","partition":0,"offset":1,"bytes":3}],"next":null}""");
        console.answer("/v1/holds", "{\"holds\":[]}");
        console.answer("/v1/streams", "{\"streams\":[],\"next\":null,\"unanswered\":[]}");

        // then
        for (String place : List.of("holds", "streams", "sweeps", "rejected")) {
            at(place)
                    .awaitText("the change of hold:LIT waits for a confirmation")
                    .awaitText("An admin may act on it");
        }
        tab.awaitText("2 partitions cannot be read: 3, 7").click("and 1 more").awaitText("1 record was rejected");
        page.requireAccessible(tab, "strip");
    }

    @Test
    @Tag("F-8")
    @Tag("F-10")
    void shouldShowSourcesWithTheirFaultsAndTheStartsOfLogs() throws Exception {
        // given
        me("admin", "\"GET /v1/sources\", \"POST /v1/sources/{name}/pause\"");
        console.answer("/v1/sources", """
                {"version":7,"sources":[
                  {"name":"orders","topic":"shop.orders","as":"table","stream":"shop/{customer}","keep":"reference","target":"same","mode":"enforce",
                   "reading":{"state":"behind","lag":1200,"perSecond":40,"rejected":2,"overtaken":1,"problem":null,
                              "lastFault":"orders: shop.orders-0-17 has no customer","starts":[]},"declaration":{}},
                  {"name":"logs","topic":"shop.logs","as":"log","stream":"logs/{host}","keep":"payload","target":"truncate","mode":"warn",
                   "reading":{"state":"paused","lag":null,"perSecond":null,"rejected":0,"overtaken":0,"problem":null,"lastFault":null,
                              "starts":[{"partition":3,"start":10,"next":25,"heldBy":"logs/<i>: held"}]},"declaration":{"paused":true}}]}""");

        // when
        at("sources").awaitText("Last fault: orders: shop.orders-0-17 has no customer");

        // then
        assertThat(tab.text()).contains("1,200", "behind", "truncate", "Starts of logs", "logs/<i>: held");
        page.requireAccessible(tab, "sources");

        // when
        console.answer(
                "/v1/sources/logs/resume", "{\"inForce\":true,\"version\":8,\"set\":[\"source:logs\"],\"removed\":[]}");
        tab.click("Resume logs").awaitText("The topic is read on from where it was paused");
        tab.fill("Reason", "mended").click("Resume").awaitText("The source logs is resumed");

        // then
        assertThat(console.asked()).contains("POST /v1/sources/logs/resume?reason=mended&actor=vera");
    }

    @Test
    void shouldShowOneTimeInTheWayThatIsChosen() throws Exception {
        // given
        tab.zone("Asia/Kathmandu");
        console.answer(
                "/v1/streams",
                "{\"streams\":[" + stream("orders/1", 5, false, Instant.now().plusSeconds(2 * 86_400 + 60))
                        + "],\"next\":null,\"unanswered\":[]}");
        at("streams").awaitText("orders/1");
        String cell = "document.querySelector('[aria-label=Streams] tbody tr time')";
        String oldest = tab.evaluate(cell + ".textContent").asText();

        // then
        assertThat(oldest).contains("05:45").doesNotContain("UTC");
        tab.click("UTC").await(cell + ".textContent.includes('00:00') && !" + cell + ".textContent.includes('05:45')");
        tab.click("Relative").awaitText("in 2 days");
        at("streams").awaitText("in 2 days");
    }

    @Test
    void shouldFilterSortAndAddUpStreams() throws Exception {
        // given
        console.answer("/v1/namespaces", """
                {"namespaces":[{"namespace":"orders","streams":3,"events":18,"bytes":180,"protectedEvents":0,"exact":true}],"unanswered":[]}""");
        console.answer(
                "/v1/streams",
                "{\"streams\":["
                        + stream("orders/1", 5, true, null) + ","
                        + stream("orders/2", 1, false, Instant.parse("2030-01-02T00:00:00Z")) + ","
                        + stream("orders/3", 12, false, Instant.parse("2030-01-01T00:00:00Z"))
                        + "],\"next\":null,\"unanswered\":[]}");
        String names = "[...document.querySelectorAll('[aria-label=Streams] tbody th')].map(c => c.textContent).join()";

        // then
        at("streams").awaitText("3 streams, 18 events").await(names + " === 'orders/1,orders/2,orders/3'");
        assertThat(tab.text()).contains("Held", "Next due");
        tab.fill("Order", "due").await(names + " === 'orders/3,orders/2,orders/1'");
        tab.fill("Order", "events").await(names + " === 'orders/3,orders/1,orders/2'");
        tab.fill("Status", "held").await(names + " === 'orders/1'");
    }

    @Test
    void shouldNameStreamsThatCannotBeReadWhileAnInstanceIsAway() throws Exception {
        // given
        String one = stream("orders/1", 5, false, null);
        console.answer(
                "/v1/streams",
                "{\"streams\":[" + one + "," + stream("orders/2", 7, false, null)
                        + "],\"next\":null,\"unanswered\":[]}");
        at("streams").awaitText("orders/2");

        // when
        console.answer(
                "/v1/streams",
                "{\"streams\":[" + one
                        + "],\"next\":null,\"unanswered\":[{\"instance\":\"b:8480\",\"partitions\":[1],\"reason\":\"away\"}]}");

        // then
        tab.awaitText("An instance does not answer").awaitText("cannot be read now");
        assertThat(tab.text()).contains("orders/2");
        assertThat(console.asked())
                .anyMatch(request -> request.startsWith("GET /v1/streams?") && request.contains("stale=true"));
    }

    @Test
    void shouldSayHowMuchFallsDueBeforeAHoldIsReleased() throws Exception {
        // given
        console.answer("/v1/holds", """
                {"holds":[{"case":"LIT","covers":"namespace:promo","reason":"r","placedBy":"p","placedAt":"2026-01-01T00:00:00Z"}]}""");
        String with = forecast(10_000);
        console.answer("/v1/forecast", with.replace("\"events\":314", "\"events\":0"));
        at("holds").awaitText("LIT");
        tab.evaluate("window.asked = fetch; window.fetch = (a, o) => asked(String(a).includes('released=LIT')"
                + " ? '/v1/released' : a, o)");
        console.answer("/v1/released", with);

        // then
        tab.click("Release LIT").awaitText("Nothing falls due at once, and 314 more within 7 days");
        page.requireAccessible(tab, "release");
    }

    /** No value is cut off, and no table stretches over a wide screen. */
    @Test
    @Tag("C-10")
    void shouldFitTablesIntoAnyWidth() throws Exception {
        // given
        tab.zone("Asia/Kathmandu");
        console.answer(
                "/v1/streams",
                "{\"streams\":[" + stream("orders/a-stream-with-a-long-name", 5_000_000, true, Instant.now())
                        + "],\"next\":null,\"unanswered\":[]}");
        at("streams").awaitText("orders/a-stream");

        for (int width : List.of(360, 1280, 2560)) {
            // when
            tab.resize(width, 900);
            page.requireFitting(tab);

            // then
            tab.await("(() => { const box = document.querySelector('.table');"
                    + " return box.scrollWidth <= box.clientWidth; })()");
            double gap = tab.evaluate("(() => { const [a, b] = document.querySelector('.table tbody tr').cells;"
                            + " return b.getBoundingClientRect().right - a.getBoundingClientRect().left; })()")
                    .asDouble();
            assertThat(gap).as("from the name to its number at " + width).isLessThan(620);
        }
    }

    /** No text of a plot lies on another, grid lines have numbers, and a namespace keeps its colour. */
    @Test
    void shouldPlaceLabelsApartAndKeepColours() throws Exception {
        at("holds").awaitText("vera");
        String placed = "import('" + console.module("labels.js") + "').then(m => JSON.stringify(%s))";

        assertThat(tab.evaluate(placed.formatted("m.placed(["
                                + "{ places: [{ l: 0, r: 40, t: 0, b: 10 }] },"
                                + "{ places: [{ l: 30, r: 70, t: 5, b: 15 }, { l: 50, r: 90, t: 5, b: 15 }] },"
                                + "{ places: [{ l: 20, r: 60, t: 0, b: 10 }] },"
                                + "{ places: [{ l: 95, r: 99, t: 0, b: 10 }, { l: 60, r: 110, t: 20, b: 30 }] }],"
                                + "[{ l: 94, r: 97, t: -1e9, b: 1e9 }], { l: 0, r: 100, t: 0, b: 100 })"))
                        .asText())
                .isEqualTo("[{\"l\":0,\"r\":40,\"t\":0,\"b\":10},{\"l\":50,\"r\":90,\"t\":5,\"b\":15},null,null]");
        assertThat(tab.evaluate(placed.formatted("m.distances('events').every(Number.isInteger)"))
                        .asText())
                .isEqualTo("true");
        String colours = "import('" + console.module("colours.js") + "').then(m => { const kept = new Map();"
                + " const a = m.coloursOf(['promo', 'orders'], kept);"
                + " const b = m.coloursOf(['promo', 'orders', 'a', 'b', 'c', 'd', 'e', 'f'], kept);"
                + " return [a.get('promo') === b.get('promo'), a.get('orders') === b.get('orders'), new Set(b.values()).size]; })";
        assertThat(tab.evaluate(colours).toString()).isEqualTo("[true,true,8]");
    }

    private static String stream(String name, long events, boolean isHeld, Instant nextDue) {
        return """
                {"stream":"%s","namespace":"%s","events":%d,"bytes":%d,"protectedEvents":0,"infiniteEvents":0,"timedEvents":0,
                 "oldest":"2020-01-01T00:00:00Z","newest":"2020-01-02T00:00:00Z","held":%s,"nextDue":%s,"parked":0}""".formatted(
                        name,
                        name.substring(0, name.indexOf('/')),
                        events,
                        10 * events,
                        isHeld,
                        nextDue == null ? "null" : "\"" + nextDue + "\"");
    }
}
