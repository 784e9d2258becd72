package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes are taken back with the command line, over the real broker, the real sink and SQL. */
@Tag("T-2")
@Tag("T-3")
@Tag("T-4")
@Timeout(600)
class UndoIT {

    private static final String RESTORED =
            "SELECT count(*) FROM retention_audit WHERE kind = 'RESTORE' AND actor = 'anna' AND reason = 'mistake'";

    @TempDir
    private Path folder;

    private OneInstance instance;

    @AfterEach
    void stop() throws Exception {
        if (instance != null) {
            instance.close();
        }
    }

    @Test
    void shouldTakeBackACommandAPolicyAndAKill() throws Exception {
        // Wrong policies come one after the other here, so the notice of one undo must not outlast the next policy.
        instance = OneInstance.start("undo", folder, Map.of("undo.notice", "1s"));
        takeBackAPurge();
        takeBackAPolicy();
        holdWhatComesBack();
        surviveAKill();
    }

    private void takeBackAPurge() throws Exception {
        // given
        send("shop", 40);
        send("mail", 10);
        Map<String, String> before = instance.awaitRows(50);
        instance.done("purge", "--namespace", "shop", "--command-id", "p-1", "--reason", "wrong", "--yes");
        instance.awaitRows(10);
        CommandRun waiting = instance.run("trash", "list");
        assertThat(waiting.out()).contains("command p-1", "shop", "40");
        assertThat(instance.run("status").out()).contains("40 events", "can be brought back");

        // when
        CommandRun undone = undo("--command", "p-1");

        // then each row is as it was, to the byte
        assertThat(undone.exitCode()).as(undone.toString()).isZero();
        assertThat(undone.out()).contains("events that came back", "40");
        assertThat(instance.awaitRows(50)).isEqualTo(before);
        Await.until("SQL knows the undo", () -> instance.count(RESTORED) > 0 ? "" : "no RESTORE");
        Await.until(
                "the trash is empty",
                () -> instance.json("/v1/status").at("/trash/events").asText().equals("0") ? "" : "it is not");
        CommandRun twice = undo("--command", "p-1");
        assertThat(twice.exitCode()).as(twice.toString()).isEqualTo(1);
        assertThat(instance.awaitRows(50)).isEqualTo(before);
    }

    private void takeBackAPolicy() throws Exception {
        // given a policy that keeps one event of each stream, which would make all others due again
        Map<String, String> before = instance.awaitRows(50);
        instance.done(
                "policy", "set", "namespace:shop", "--max-count", "1", "--confirmed", "--reason", "one nought lost");
        instance.awaitRows(10 + 10);
        JsonNode waiting =
                instance.json("/v1/trash?namespace=shop").path("deletions").path(0);
        String change = waiting.path("change").asText();
        assertThat(change).startsWith("namespace:shop@");

        // when
        CommandRun dry = instance.run("undo", "--policy", change, "--dry-run");
        CommandRun reverted = undo("--policy", change, "--revert");

        // then
        assertThat(dry.exitCode()).as(dry.toString()).isZero();
        assertThat(dry.out()).contains("under notice until", "due again after that");
        assertThat(reverted.exitCode()).as(reverted.toString()).isZero();
        assertThat(instance.awaitRows(50)).isEqualTo(before);
        assertThat(instance.process().get("/v1/policies/namespace:shop").body()).doesNotContain("\"maxCount\":1");
    }

    private void holdWhatComesBack() throws Exception {
        // given
        Map<String, String> before = instance.awaitRows(50);
        instance.done("policy", "set", "namespace:shop", "--max-count", "1", "--confirmed", "--reason", "once more");
        instance.awaitRows(10 + 10);

        // when
        CommandRun held = undo("--since", "5m", "--namespace", "shop", "--hold", "INC-7");

        // then nothing goes while the hold stands, although the policy does
        assertThat(held.exitCode()).as(held.toString()).isZero();
        assertThat(held.out()).contains("the 10 holds INC-7-1 to INC-7-10, each over one stream, stay in force");
        assertThat(instance.awaitRows(50)).isEqualTo(before);
        instance.done("policy", "delete", "namespace:shop", "--reason", "it was wrong", "--yes");
        for (int i = 1; i <= 10; i++) {
            instance.done("hold", "release", "INC-7-" + i, "--reason", "mended", "--yes");
        }
        assertThat(instance.awaitRows(50)).isEqualTo(before);
    }

    private void surviveAKill() throws Exception {
        // given
        send("big", 3000);
        Map<String, String> before = instance.awaitRows(3050);
        instance.done("purge", "--namespace", "big", "--command-id", "p-2", "--reason", "wrong", "--yes");
        instance.awaitRows(50);

        // when
        String path = "/v1/undo?commandId=u-2&actor=anna&reason=mistake&wait=0";
        instance.post(path, "{\"command\":\"p-2\"}");
        Await.until("something is back", () -> instance.rows().size() > 50 ? "" : "nothing");
        instance.killAndRestart();

        // then
        Await.until(
                "the undo is done",
                () -> instance.json("/v1/commands/u-2").path("state").asText().equals("DONE")
                        ? ""
                        : instance.json("/v1/commands/u-2").toString());
        assertThat(instance.awaitRows(3050)).isEqualTo(before);
        JsonNode undo = instance.json("/v1/commands/u-2").path("outcome");
        assertThat(undo.path("events").asLong()).isEqualTo(3000);
    }

    private CommandRun undo(String... args) {
        String[] all = new String[args.length + 6];
        all[0] = "undo";
        System.arraycopy(args, 0, all, 1, args.length);
        System.arraycopy(new String[] {"--actor", "anna", "--reason", "mistake", "--yes"}, 0, all, args.length + 1, 5);
        return instance.run(all);
    }

    /** Events of ten streams of the namespace. */
    private void send(String namespace, int events) throws Exception {
        for (int stream = 0; stream < 10; stream++) {
            StringBuilder batch = new StringBuilder("[");
            for (int i = 0; i < events / 10; i++) {
                batch.append(i == 0 ? "" : ",")
                        .append("{\"id\":\"e-%d\",\"type\":\"t\",\"metadata\":{\"n\":\"%d\"},\"payload\":\"%d-%s\"}"
                                .formatted(i, i, i, "x".repeat(100)));
            }
            instance.send(namespace + "/" + stream, batch.append("]").toString());
        }
    }
}
