package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans with the command line, over the real broker, the real sink and SQL: between a plan and its end, things happen and the
 * instance is killed, and only what the plan has listed goes.
 */
@Tag("T-6")
@Tag("T-7")
@Timeout(600)
class PlanIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REFUSED = 5;

    @TempDir
    private Path folder;

    private OneInstance instance;

    /** The rows that must be in SQL. */
    private final Map<String, String> expected = new TreeMap<>();

    @AfterEach
    void stop() throws Exception {
        if (instance != null) {
            instance.close();
        }
    }

    @Test
    void shouldCarryOutWhatWasPlannedAndNothingElse() throws Exception {
        instance = OneInstance.start("plan", folder);
        sweep();
        purge();
        prune();
        deleteAndErase();
        policies();
    }

    private void sweep() throws Exception {
        // given streams over their cap, which no sweep comes to by itself
        instance.put("/v1/policies/namespace:shop", "{\"maxCount\":2,\"window\":\"%s\"}".formatted(inHalfADay()));
        for (int stream = 0; stream < 5; stream++) {
            send("shop/" + stream, 0, 6);
        }
        instance.awaitRows(30);
        JsonNode planned = plan("s-1", "sweep", "--namespace", "shop");
        assertThat(planned.path("events").asLong()).isEqualTo(20);
        JsonNode again = plan("s-0", "sweep", "--namespace", "shop");
        assertThat(again.path("digest")).as("the same events").isEqualTo(planned.path("digest"));

        // when a hold, protection, deletes and newcomers come between, and the instance dies
        instance.done("hold", "place", "LIT-1", "--covers", "stream:shop/0", "--reason", "litigation");
        protect("shop/1", 0);
        instance.done("event", "delete", "shop/2", "e-0", "--reason", "by hand", "--yes");
        instance.done("event", "delete", "shop/3", "e-0", "--reason", "by hand", "--yes");
        send("shop/3", 0, 1);
        send("shop/4", 6, 7);
        expected.putAll(instance.awaitRows(30));
        instance.killAndRestart();
        JsonNode done = carryOut("s-1", "s-2", "sweep");

        // then
        assertThat(done.path("leftOut"))
                .isEqualTo(JSON.readTree("{\"CHANGED\":1,\"GONE\":1,\"HELD\":4,\"PROTECTED\":1}"));
        assertThat(done.path("eventsDone").asLong()).isEqualTo(13);
        assertThat(done.path("exact").asBoolean()).isFalse();
        assertThat(done.path("digest")).isEqualTo(planned.path("digest"));
        gone("shop/1", 1, 4);
        gone("shop/2", 1, 4);
        gone("shop/3", 1, 4);
        gone("shop/4", 0, 4);
        requireRows();
        refused("NO_PLAN", "sweep", "--plan", "s-1", "--reason", "twice", "--yes");
        instance.done("hold", "release", "LIT-1", "--reason", "over", "--yes");
    }

    private void purge() throws Exception {
        // given
        for (int stream = 0; stream < 3; stream++) {
            send("mail/" + stream, 0, 2);
        }
        JsonNode planned = plan("p-1", "purge", "--namespace", "mail");
        assertThat(planned.path("events").asLong()).isEqualTo(6);

        // when one stream has had another event
        send("mail/1", 2, 3);
        expected.putAll(instance.awaitRows(expected.size() + 7));
        refused("OTHER_PLAN", "purge", "--namespace", "shop", "--plan", "p-1", "--reason", "wrong", "--yes");
        JsonNode done = carryOut("p-1", "p-2", "purge");

        // then it stays whole
        assertThat(done.path("leftOut")).isEqualTo(JSON.readTree("{\"CHANGED\":2}"));
        gone("mail/0", 0, 2);
        gone("mail/2", 0, 2);
        requireRows();
    }

    private void prune() throws Exception {
        // given
        send("log/0", 0, 6);
        JsonNode planned = plan("r-1", "prune", "log/0", "--keep-last", "2");
        assertThat(planned.path("events").asLong()).isEqualTo(4);

        // when
        instance.awaitRows(expected.size() + 6);
        protect("log/0", 1);
        expected.putAll(instance.awaitRows(expected.size() + 6));
        instance.killAndRestart();
        JsonNode done = carryOut("r-1", "r-2", "prune", "log/0");

        // then
        assertThat(done.path("leftOut")).isEqualTo(JSON.readTree("{\"PROTECTED\":1}"));
        gone("log/0", 0, 1);
        gone("log/0", 2, 4);
        requireRows();
    }

    private void deleteAndErase() throws Exception {
        // given
        send("old/0", 0, 3);
        send("people/0", 0, 5);
        send("people/1", 0, 5);
        expected.putAll(instance.awaitRows(expected.size() + 13));
        plan("d-1", "delete", "old/0");
        JsonNode planned = plan("e-1", "erase", "--where", "metadata.n=3", "--namespace", "people", "--case", "GDPR-9");
        assertThat(planned.path("events").asLong()).isEqualTo(2);

        // when
        instance.done("hold", "place", "LIT-2", "--covers", "stream:people/0", "--reason", "litigation");
        JsonNode deleted = carryOut("d-1", "d-2", "delete", "old/0");
        JsonNode erased = carryOut("e-1", "e-2", "erase");

        // then
        assertThat(deleted.path("exact").asBoolean()).isTrue();
        assertThat(deleted.path("digestDone")).isEqualTo(deleted.path("digest"));
        assertThat(erased.path("leftOut")).isEqualTo(JSON.readTree("{\"HELD\":1}"));
        gone("old/0", 0, 3);
        gone("people/1", 3, 4);
        requireRows();
    }

    private void policies() throws Exception {
        // given
        instance.done("policy", "delete", "namespace:shop", "--reason", "what it keeps is not meant here", "--yes");
        send("late/0", 0, 4);
        send("late/1", 0, 4);
        expected.putAll(instance.awaitRows(expected.size() + 8));
        Path file = Files.writeString(
                folder.resolve("new.yaml"), "policies:\n  - scope: namespace:late\n    maxCount: 1\n");
        CommandRun plan = instance.done("policy", "plan", "-f", file.toString(), "-o", "json");
        ObjectNode planned = (ObjectNode) JSON.readTree(plan.out());
        assertThat(planned.at("/plan/events").asLong()).isEqualTo(6);
        Path plans = Files.writeString(folder.resolve("plan.json"), plan.out());

        // when the file is edited, in its list or its text
        ObjectNode edited = planned.deepCopy();
        ((ObjectNode) edited.path("plan")).put("events", 7);
        refusedPlan(edited);
        edited = planned.deepCopy();
        edited.put("policies", planned.path("policies").asText().replace("maxCount: 1", "maxCount: 2"));
        refusedPlan(edited);
        requireRows();

        // when it would delete an event more
        send("late/0", 4, 5);
        expected.putAll(instance.awaitRows(expected.size() + 1));
        CommandRun more = instance.run("policy", "apply", "--plan", plans.toString());
        assertThat(more.exitCode()).as(more.toString()).isEqualTo(REFUSED);
        instance.done("event", "delete", "late/0", "e-4", "--reason", "by hand", "--yes");
        gone("late/0", 4, 5);
        requireRows();

        // when all is as it was, but for a kill
        instance.killAndRestart();
        instance.done("policy", "apply", "--plan", plans.toString());

        // then
        gone("late/0", 0, 3);
        gone("late/1", 0, 3);
        requireRows();
    }

    private void refusedPlan(JsonNode edited) throws Exception {
        Path file = Files.writeString(folder.resolve("edited.json"), edited.toString());
        CommandRun run = instance.run("policy", "apply", "--plan", file.toString());
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(REFUSED);
    }

    /** A window that is closed for hours. */
    private static String inHalfADay() {
        int hour = ZonedDateTime.now(ZoneOffset.UTC).plusHours(12).getHour();
        return "%02d:00-%02d:01 UTC".formatted(hour, hour);
    }

    /** Makes a plan under that id, and nothing else. */
    private JsonNode plan(String id, String... command) throws Exception {
        Map<String, String> before = instance.rows();
        instance.done(with(command, "--dry-run", "--command-id", id));
        assertThat(instance.rows()).containsAllEntriesOf(before);
        return instance.json("/v1/commands/" + id).path("plan");
    }

    private JsonNode carryOut(String planId, String id, String... command) throws Exception {
        CommandRun run = instance.run(with(
                command, "--plan", planId, "--command-id", id, "--reason", "ticket 4711", "--actor", "anna", "--yes"));
        JsonNode result = instance.json("/v1/commands/" + id);
        assertThat(result.path("state").asText()).as(run.toString()).isEqualTo("DONE");
        return result.path("plan");
    }

    private void refused(String why, String... command) {
        CommandRun run = instance.run(command);
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(REFUSED);
        assertThat(run.err() + run.out()).contains(why);
    }

    private static String[] with(String[] command, String... more) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private void send(String stream, int from, int to) throws Exception {
        StringBuilder batch = new StringBuilder("[");
        for (int i = from; i < to; i++) {
            batch.append(i == from ? "" : ",").append(event(i, ""));
        }
        instance.send(stream, batch.append("]").toString());
    }

    /** Makes an event a protected one, and returns when SQL knows it. */
    private void protect(String stream, int i) throws Exception {
        instance.send(stream, event(i, "running"));
        Await.until("SQL knows the status", () -> {
            String row = String.valueOf(instance.rows().get(stream + " e-" + i));
            return row.contains(",running,") ? "" : row;
        });
    }

    private static String event(int i, String status) {
        return "{\"id\":\"e-%d\",\"status\":\"%s\",\"metadata\":{\"n\":\"%d\"},\"payload\":\"%d\"}"
                .formatted(i, status, i, i);
    }

    /** These events may be missing from now on, and must be. */
    private void gone(String stream, int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(expected.remove(stream + " e-" + i))
                    .as(stream + " e-" + i)
                    .isNotNull();
        }
    }

    /** SQL has what must be there, row for row, and no row more. */
    private void requireRows() throws Exception {
        Map<String, String> rows = new HashMap<>(instance.awaitRows(expected.size()));
        assertThat(rows).containsExactlyInAnyOrderEntriesOf(expected);
    }
}
