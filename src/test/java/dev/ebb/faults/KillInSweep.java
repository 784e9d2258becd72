package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.it.Await;
import java.io.IOException;

/**
 * {@code kill -9} of an instance while it sweeps: some thousand events fall due at once, and the instance that has
 * deleted some of them is killed at a moment of chance. Another goes on where it was, and it comes back.
 */
final class KillInSweep implements Fault {

    private static final int EVENTS = 4000;
    private static final int STREAMS = 40;
    private static final int DUE_IN_MS = 3000;
    private static final int LATEST_KILL_MS = 400;

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        int rounds = run.rounds(3, 20);
        int interrupted = 0;
        for (int i = 0; i < rounds; i++) {
            stack.load().due("burst", STREAMS, EVENTS, System.currentTimeMillis() + DUE_IN_MS);
            Instance victim = awaitSweeper(stack);
            Thread.sleep(run.random().nextInt(LATEST_KILL_MS));
            boolean isSweeping = isSweeping(victim);
            victim.kill();
            interrupted += isSweeping ? 1 : 0;
            victim.launch();
            stack.awaitReady();
            run.round();
        }
        run.remark(interrupted + " of " + rounds + " kills in mid-sweep");
    }

    /** The first instance that is seen with streams of which something is due. */
    private static Instance awaitSweeper(FaultStack stack) throws InterruptedException {
        Instance[] found = new Instance[1];
        Await.until("an instance sweeps the burst", () -> {
            for (Instance instance : stack.instances()) {
                if (isSweeping(instance)) {
                    found[0] = instance;
                    return "";
                }
            }
            return "nobody sweeps";
        });
        return found[0];
    }

    private static boolean isSweeping(Instance instance) throws IOException, InterruptedException {
        JsonNode status = Rest.get(instance.url(), "/v1/status").body();
        for (JsonNode partition : status.path("partitions")) {
            if (partition.path("dueStreams").longValue() > STREAMS / FaultStack.PARTITIONS / 3) {
                return true;
            }
        }
        return false;
    }
}
