package dev.ebb.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What the tests of the console look at. */
final class ConsoleData {

    static final String SCRIPT = "evil/<script>document.title='owned'</script>";
    static final String IMAGE = "evil/\"><img src=x onerror=\"document.title='owned'\">";
    static final String TURNED = "evil/\u202eright-to-left";
    static final String TURNED_SPACE = "turn\u202eed";
    static final String LONG = "evil/" + "x".repeat(250);
    /** More than a change of policies may always make due at once. */
    static final int BULK = ConsoleStack.ALLOWED + 5;

    private static final Instant NOW = Instant.now();

    private ConsoleData() {}

    /** A change that waits for a confirmation, and a record that a hold has refused. */
    static void wait(ConsoleStack stack) throws Exception {
        stack.put("/v1/policies/namespace:bulk", "{\"maxAge\":\"30d\",\"anchor\":\"occurred\",\"reason\":\"first\"}");
        for (int i = 1; i <= BULK; i++) {
            stack.send("bulk/1", "b-" + i, NOW.minus(Duration.ofDays(10)), "");
        }
        stack.awaitRows("bulk", BULK);
        stack.put(
                "/v1/policies/namespace:bulk", "{\"maxAge\":\"1d\",\"anchor\":\"occurred\",\"reason\":\"too little\"}");
        stack.awaitJson("a change waits", "/v1/policies/waiting", answer -> answer.findValuesAsText("key")
                .contains("namespace:bulk"));
        stack.send("kept/1", "k-1", NOW, ",\"metadata\":{\"sent\":\"again\"}");
        stack.awaitJson("a record is rejected", "/v1/rejected", answer -> answer.findValuesAsText("reason")
                .contains("HELD"));
    }

    /** Events that go at different times, a hold, and names that no page should show as markup. */
    static void fill(ConsoleStack stack) throws Exception {
        stack.put("/v1/policies/namespace:shop", "{\"maxAge\":\"30d\",\"anchor\":\"occurred\",\"reason\":\"first\"}");
        stack.put("/v1/policies/namespace:short", "{\"maxAge\":\"1s\",\"undo\":\"none\"}");
        stack.put(
                "/v1/holds/case-1?anyway=true",
                "{\"covers\":\"namespace:kept\",\"reason\":\"a matter\",\"placedBy\":\"root\"}");
        for (int i = 1; i <= 40; i++) {
            // half of them younger than five days, six younger than two
            Duration age = i <= 6 ? Duration.ofHours(6L * i) : Duration.ofHours(i <= 20 ? 60 + i : 150 + i);
            stack.send(
                    "shop/" + (i % 4 + 1),
                    "o-" + (i % 4 + 1) + "-" + (i / 4 + 1),
                    NOW.minus(age),
                    ",\"contentType\":\"application/json\",\"payload\":{\"total\":1}");
        }
        for (int i = 1; i <= 5; i++) {
            stack.send("kept/1", "k-" + i, NOW, "");
        }
        stack.send("short/1", "s-1", NOW, "");
        stack.put("/v1/policies/namespace:" + ConsoleStack.segment(TURNED_SPACE), "{\"maxAge\":\"40d\"}");
        for (String stream : List.of(SCRIPT, IMAGE, TURNED, LONG, TURNED_SPACE + "/1")) {
            stack.send(stream, "<b>id</b>", NOW, ",\"payload\":\"<script>alert(2)</script>\"");
        }
        stack.awaitRows("shop", 40);
        Await.until("the short one went", () -> stack.rows("short") == 0 ? "" : "it is there");
    }
}
