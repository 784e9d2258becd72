package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.it.Await;
import java.time.Duration;

/** The Connect worker is killed while it writes rows and deletes, and comes back some seconds later. */
final class ConnectKilled implements Fault {

    private static final int EVENTS = 6000;
    private static final int LONGEST_ABSENCE_MS = 6000;
    private static final int LATEST_KILL_MS = 300;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "connect";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        for (int i = 0; i < run.rounds(2, 6); i++) {
            awaitMirror(stack);
            Burst.send(stack, EVENTS).awaitSweeper();
            Thread.sleep(run.random().nextInt(LATEST_KILL_MS));
            stack.services().connect().kill();
            Thread.sleep(run.random().nextInt(LONGEST_ABSENCE_MS));
            stack.services().connect().start();
            run.round();
        }
    }

    private static void awaitMirror(FaultStack stack) throws InterruptedException {
        Await.until("the mirror takes rows", LIMIT, () -> {
            JsonNode mirror = Rest.get(stack.any().url(), "/v1/status").body().path("mirror");
            return mirror.path("state").asText().equals("RUNNING") ? "" : mirror.toString();
        });
    }
}
