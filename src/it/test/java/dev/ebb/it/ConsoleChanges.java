package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.browser.BrowserTab;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;

/** What a person with all rights changes with the console: each asks first, wants a reason, and can be seen afterwards. */
final class ConsoleChanges {

    private static final String ONE_RECORD =
            "document.querySelectorAll('[aria-label=\"Audit records\"] tbody tr').length === 1";

    private final ConsoleStack stack;
    private final ConsolePage page;
    private final BrowserTab tab;

    ConsoleChanges(ConsoleStack stack, ConsolePage page, BrowserTab tab) {
        this.stack = stack;
        this.page = page;
        this.tab = tab;
    }

    private BrowserTab at(String place) {
        tab.open(stack.url() + "/#/" + place);
        return tab;
    }

    private void requireAccessible(String dialog) throws Exception {
        tab.await("document.querySelector('dialog[open]') !== null");
        page.requireAccessible(tab, dialog);
        page.picture(tab, dialog);
    }

    /** Nothing is done without a reason. */
    private void requireReason(String verb) {
        assertThat(tab.has(verb)).as(verb + " without a reason").isFalse();
    }

    /** C-7: one places a hold and releases it, each with a reason that the audit keeps. */
    void placeAndReleaseAHold() throws Exception {
        at("holds").click("Place a hold …");
        requireAccessible("dialog-hold");
        tab.fill("Case", "case-7").fill("Covers", "stream:shop/1");
        requireReason("Place the hold");
        tab.fill("Reason", "a lawsuit").click("Place the hold").awaitText("hold case-7, placed by root");
        long held =
                stack.json("/v1/streams/shop%2F1").path("usage").path("events").asLong();
        tab.await(holdIs("stream shop/1", Long.toString(held), "a lawsuit", "root"));
        tab.await("[...document.querySelectorAll('main tr')].some(r => r.cells[0].textContent === 'case-7'"
                + " && r.querySelector('time') !== null)");

        tab.click("Release case-7");
        requireAccessible("dialog-release");
        tab.awaitText("Once it is released their policies decide again");
        requireReason("Release");
        tab.fill("Reason", "it is over").click("Release").awaitText("Released: hold case-7, by root");
        tab.await("![...document.querySelectorAll('main th')].some(cell => cell.textContent === 'case-7')");
        at("audit?action=CHANGE").awaitText("hold released").awaitText("it is over");
    }

    /** The row of the case shows what it covers, how many events, and why. */
    private static String holdIs(String... cells) {
        return "[...document.querySelectorAll('main tr')].some(r => r.cells[0].textContent === 'case-7' && "
                + quoted(cells) + ".every((text, i) => r.cells[i + 1].textContent === text))";
    }

    private static String quoted(String... texts) {
        return new ObjectMapper().valueToTree(texts).toString();
    }

    /** C-8: records are found by stream, event, cause, actor and time; and what went is counted by cause over time. */
    void findRecords() throws Exception {
        JsonNode change = stack.json("/v1/audit?action=POLICY_SET&policy=namespace:shop&limit=100")
                .path("audit")
                .get(0);
        long gone = stack.json("/v1/history").path("deleted").path("events").asLong();
        at("audit").awaitText("Deletes by cause").awaitText(gone + " events (");
        tab.click("All bars as numbers").awaitText("too old");

        tab.fill("Stream", "short/1").click("Search").await(ONE_RECORD).awaitText("1 event: too old");
        at("audit?event=s-1").await(ONE_RECORD).awaitText("1 event: too old");
        at("audit")
                .awaitText("policy set")
                .fill("Cause", "MAX_AGE")
                .click("Search")
                .awaitText("events: too old");
        tab.await("![...document.querySelectorAll('main tr')].some(r => r.textContent.includes('policy set'))");
        at("audit").awaitText("policy set").click("More conditions").fill("Actor", "another-person");
        tab.click("Search").awaitText("The audit has no such record");
        at("audit")
                .click("More conditions")
                .fill("Actor", "root")
                .click("Search")
                .awaitText("two days do");
        String moment = change.path("at").asText();
        at("audit?from=" + moment + "&to=" + moment)
                .awaitText(change.path("reason").asText())
                .awaitNoText("a lawsuit");
    }

    /** C-9: a record that a hold has refused is sent once more when the hold is gone. */
    void replayARejectedRecord() throws Exception {
        at("holds").click("Release case-1").fill("Reason", "settled").click("Release");
        tab.awaitText("Released: hold case-1");
        at("rejected").awaitText("held").await("document.querySelector('[aria-label^=\"Replay record\"]') !== null");
        tab.evaluate("document.querySelector('[aria-label^=\"Replay record\"]').click()");
        requireAccessible("dialog-replay");
        tab.click("Replay").awaitText("Sent to " + stack.topic("events"));
        at("streams/kept%2F1?event=k-1").awaitText("again");
    }

    /** C-5: a change that the brake holds back is withdrawn, or confirmed; its deletes are undone from the audit (T-2). */
    void withdrawConfirmAndUndoAChange() throws Exception {
        at("policies/namespace%3Abulk")
                .awaitText("Waiting for a confirmation")
                .awaitText("at least 26 events of 30 at once");
        page.requireAccessible(tab, "policies with a waiting change");
        page.picture(tab, "policies-waiting");
        tab.click("Withdraw …");
        requireAccessible("dialog-withdraw");
        requireReason("Withdraw");
        tab.fill("Reason", "a mistake").click("Withdraw").awaitText("Withdrawn: version");
        tab.awaitNoText("Waiting for a confirmation");

        stack.put(
                "/v1/policies/namespace:bulk",
                "{\"maxAge\":\"2d\",\"anchor\":\"occurred\",\"reason\":\"still too little\"}");
        tab.awaitText("Waiting for a confirmation").click("Confirm …");
        requireAccessible("dialog-confirm");
        tab.fill("Reason", "as agreed").click("Confirm").awaitText("by root");
        stack.awaitRows("bulk", 0);

        // who changed the policy, and what that deleted
        at("policies/namespace%3Abulk").awaitText("Who changed it").awaitText("still too little");
        tab.click("What it deleted").awaitText("30 events (").awaitText("went because of it");
        page.picture(tab, "audit-of-a-policy");

        at("audit?action=POLICY_SET&policy=namespace%3Abulk").awaitText("still too little");
        tab.evaluate("document.querySelector('[aria-label^=\"Undo \"]').click()");
        requireAccessible("dialog-undo");
        tab.awaitText("30 events (").awaitText("would come back").awaitText("would be due again after the notice");
        requireReason("Undo");
        tab.fill("Reason", "it was one")
                .click("Undo")
                .awaitText("30 events came back, by root")
                .click("Close");
        stack.awaitRows("bulk", ConsoleData.BULK);
        at("audit?action=RESTORE").awaitText("brought back: ");
    }

    /** C-6: an event and a stream are deleted after the question; Undo brings both back. */
    void deleteAndUndo() throws Exception {
        at("streams/bulk%2F1?event=b-1").awaitText("It stays until");
        tab.evaluate("[...document.querySelectorAll('[aria-label=\"Event\"] button')]"
                + ".find(b => b.textContent === 'Delete …').click()");
        requireAccessible("dialog-delete-event");
        tab.awaitText("1 event (").awaitText("would go, and nothing else");
        requireReason("Delete");
        tab.fill("Reason", "one")
                .click("Delete")
                .awaitText("1 event went, by root")
                .click("Close");
        stack.awaitRows("bulk", ConsoleData.BULK - 1);

        at("streams/bulk%2F1").click("Delete …").awaitText("29 events (");
        requireAccessible("dialog-delete-stream");
        tab.fill("Reason", "all")
                .click("Delete")
                .awaitText("29 events went, by root")
                .click("Close");
        stack.awaitRows("bulk", 0);
        at("streams/bulk%2F1").awaitText("There is no stream of that name");

        for (long expected : new long[] {29, 30}) {
            at("undo").awaitText("deleted by name").awaitText("bulk");
            page.requireAccessible(tab, "undo");
            page.picture(tab, "undo");
            tab.evaluate("document.querySelector('[aria-label^=\"Undo what command\"]').click()");
            tab.awaitText("would come back, each with all that it had");
            tab.fill("Reason", "back with it")
                    .click("Undo")
                    .awaitText("came back, by root")
                    .click("Close");
            stack.awaitRows("bulk", expected);
        }
    }

    /** C-8: a receipt is a file that a program can verify. */
    void downloadAReceipt(Path folder) throws Exception {
        tab.downloadTo(folder);
        at("audit?namespace=short").awaitText("1 event: too old").click("Receipt of short/1");
        JsonNode receipt = new ObjectMapper().readTree(Files.readAllBytes(folder.resolve(tab.awaitDownload())));
        byte[] record =
                Base64.getDecoder().decode(receipt.at("/records/0/value").asText());
        assertThat(receipt.path("format").asText()).startsWith("ebb-receipt/");
        assertThat(new String(record, StandardCharsets.ISO_8859_1)).contains("short/1", "MAX_AGE");

        at("sweeps").awaitText("too old").click("Audit").awaitText("Records");
    }

    /** R-15, T-10: an officer finds and erases what a condition names, whatever its key, and sees where bytes of it may remain. */
    void eraseAPerson() throws Exception {
        stack.send("person/1", "p-1", Instant.now(), ",\"metadata\":{\"user=id\":\"42\"}");
        stack.send("person/1", "p-2", Instant.now(), ",\"metadata\":{\"user=id\":\"43\"}");
        stack.awaitRows("person", 2);

        at("search").fill("Key", "user=id").fill("Is exactly", "42").click("Find events");
        tab.awaitText("1 event found.").awaitText("p-1");
        page.requireAccessible(tab, "a search");
        page.picture(tab, "search-found");
        tab.click("Erase what matches …").fill("Case", "case-9");
        tab.click("Count what would go …").awaitText("Erase these events for good?");
        requireAccessible("dialog-erase");
        requireReason("Erase");
        tab.awaitText("1 event (").fill("Reason", "a request").click("Erase").awaitText("1 event went, by root");
        tab.await("document.querySelector('dialog[open] a[href^=\"#/undo\"]') === null");
        tab.click("Close");

        at("erase").awaitText("metadata.user=id").click("case-9").awaitText("Places where bytes may remain");
        tab.awaitText("whole events").awaitText("a request");
        page.requireAccessible(tab, "an erasure");
        page.picture(tab, "erasure");
        at("report").awaitText("1 erased");
        stack.awaitRows("person", 1);
    }

    /** C-9: SQL gets back what it lacks. */
    void repairSql() throws Exception {
        stack.loseRow("shop/1", "o-1-2");
        at("verify").click("Compare").awaitText("1 row differs").awaitText("o-1-2");
        page.requireAccessible(tab, "verify with a difference");
        page.picture(tab, "verify-differs");
        tab.click("Repair …");
        requireAccessible("dialog-repair");
        requireReason("Repair");
        tab.fill("Reason", "a row was lost").click("Repair").awaitText("The repair has begun, by root");
        tab.awaitText("Sent again: 1 row");
        tab.click("Compare").awaitText("Stores and SQL are equal");
    }

    /** C-10: from a change to its plan and into force without a mouse. */
    void changeAPolicyByKeys() throws Exception {
        at("tide").awaitText("By namespace");
        tab.tabTo("Skip to content").tabTo("What if").press("Enter").awaitText("Limits of");
        tab.await("document.activeElement.id === 'content'");
        tab.tabTo("Scope").press("Home").press("ArrowDown").await("location.hash.includes('bulk')");
        tab.awaitText("Limits of namespace bulk");
        tab.tabTo("maxAge").type("9d").awaitText("30 events would go at once");
        tab.await(
                "[...document.querySelectorAll('button.main')].some(b => b.textContent === 'Apply …' && !b.disabled)");
        tab.shiftTabTo("Apply …").press("Enter").await("document.querySelector('dialog[open]') !== null");
        tab.tabTo("Reason").type("by keys alone").tabTo("Apply with this plan").press("Enter");
        tab.awaitText("In force: the policy of namespace bulk");
        stack.awaitRows("bulk", 0);
    }
}
