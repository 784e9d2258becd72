package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.faults.Rest.Answer;
import dev.ebb.it.Await;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An instance joins, leaves after five seconds at most, in half of the cases by {@code kill -9}, and joins again, for as
 * long as many thousand events are purged.
 */
final class JoinAndLeave implements Fault {

    private static final int STREAMS = 400;
    private static final int LONGEST_STAY_MS = 5000;
    private static final int FEWEST_TURNS = 2;

    /** A purge that is not done by then never ends. */
    private static final int MOST_TURNS = 40;

    @Override
    public String name() {
        return "join";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        int events = run.rounds(20_000, 100_000);
        var purged = stack.load().kept("purged", STREAMS, events);
        LivingReads.of(stack, purged).close();
        Instance guest = stack.add();
        String id = UUID.randomUUID().toString();
        order(stack, id);
        try {
            for (int i = 0; i < run.rounds(FEWEST_TURNS, 6) || isRunning(stack, id); i++) {
                if (i == MOST_TURNS) {
                    throw new AssertionError("no end of the purge after " + i + " turns: " + answered(stack, id));
                }
                guest.start();
                Thread.sleep(run.random().nextInt(LONGEST_STAY_MS));
                leave(guest, run);
                run.round();
            }
        } finally {
            stack.remove(guest);
        }
        Await.until("the command is done", () -> isRunning(stack, id) ? "it runs" : "");
        JsonNode result = answered(stack, id);
        if (result.at("/outcome/eventsDeleted").longValue() != events) {
            throw new AssertionError("of " + events + " events it purged " + result);
        }
        run.remark("purged " + events);
    }

    private static void leave(Instance guest, FaultRun run) throws InterruptedException {
        if (run.random().nextBoolean()) {
            guest.kill();
        } else {
            guest.stop();
        }
    }

    private static void order(FaultStack stack, String id) throws InterruptedException {
        String body = "{\"commandId\":\"%s\",\"namespace\":\"purged\",\"limit\":%d,\"reason\":\"fault suite\"}"
                .formatted(id, STREAMS);
        Await.until("the purge is ordered", () -> {
            Answer answer = Rest.send("POST", stack.any().url(), "/v1/purge?wait=0", body);
            return answer.status() / 100 == 2 ? "" : answer.toString();
        });
    }

    private static boolean isRunning(FaultStack stack, String id) throws InterruptedException {
        return answered(stack, id).path("state").asText().equals("RUNNING");
    }

    /** The guest may have left with the partition that knows: without an answer, its turns would go on for ever. */
    private static JsonNode answered(FaultStack stack, String id) throws InterruptedException {
        var body = new AtomicReference<JsonNode>();
        Await.until("the partition of the command answers", () -> {
            Answer answer = command(stack, id);
            body.set(answer.body());
            return answer.status() == 200 ? "" : answer.toString();
        });
        return body.get();
    }

    private static Answer command(FaultStack stack, String id) throws IOException, InterruptedException {
        return Rest.get(stack.any().url(), "/v1/commands/" + id);
    }
}
