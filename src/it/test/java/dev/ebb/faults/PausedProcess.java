package dev.ebb.faults;

import dev.ebb.it.Await;

/**
 * An instance stops in the middle of a sweep for longer than its session lasts (SIGSTOP), so that others take its
 * partitions over, and then goes on as if nothing had been (SIGCONT): what it still writes must not count.
 */
final class PausedProcess implements Fault {

    private static final int EVENTS = 4000;

    /** Beyond the timeout of transactions in some rounds, below in others. */
    private static final int LONGEST_EXTRA_PAUSE_MS = 15_000;

    @Override
    public String name() {
        return "pause";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        for (int i = 0; i < run.rounds(1, 4); i++) {
            Instance victim = Burst.send(stack, EVENTS).awaitSweeper();
            victim.pause();
            try {
                Await.until(
                        "others keep all partitions",
                        () -> stack.keptByOthers(victim).size() == FaultStack.PARTITIONS
                                ? ""
                                : "they keep " + stack.keptByOthers(victim));
                Thread.sleep(run.random().nextInt(LONGEST_EXTRA_PAUSE_MS));
            } finally {
                victim.resume();
            }
            stack.awaitReady();
            run.round();
        }
    }
}
