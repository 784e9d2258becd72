package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.it.Await;
import java.io.IOException;

/** Some thousand events that fall due at one moment, so that a sweep takes long enough to be disturbed. */
final class Burst {

    private static final int STREAMS = 40;
    private static final int DUE_IN_MS = 3000;

    /** More than are due at any moment of the ordinary load. */
    private static final int DUE_STREAMS = 4;

    private final FaultStack stack;

    private Burst(FaultStack stack) {
        this.stack = stack;
    }

    static Burst send(FaultStack stack, int events) {
        stack.load().due("burst", STREAMS, events, System.currentTimeMillis() + DUE_IN_MS);
        return new Burst(stack);
    }

    /** The first instance that is seen in the middle of the sweep. */
    Instance awaitSweeper() throws InterruptedException {
        Instance[] found = new Instance[1];
        Await.until("an instance sweeps the burst", () -> {
            for (Instance instance : stack.instances()) {
                if (isSwept(instance)) {
                    found[0] = instance;
                    return "";
                }
            }
            return "nobody sweeps";
        });
        return found[0];
    }

    /** Returns true if the instance has some of the burst left to sweep. */
    boolean isSwept(Instance instance) throws IOException, InterruptedException {
        JsonNode status = Rest.get(instance.url(), "/v1/status").body();
        for (JsonNode partition : status.path("partitions")) {
            if (partition.path("dueStreams").longValue() > DUE_STREAMS) {
                return true;
            }
        }
        return false;
    }
}
