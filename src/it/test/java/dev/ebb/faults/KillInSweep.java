package dev.ebb.faults;

/**
 * {@code kill -9} of an instance while it sweeps: some thousand events fall due at once, and the instance that has
 * deleted some of them is killed at a moment of chance. Another goes on where it was, and it comes back.
 */
final class KillInSweep implements Fault {

    private static final int EVENTS = 4000;
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
            Burst burst = Burst.send(stack, EVENTS);
            Instance victim = burst.awaitSweeper();
            Thread.sleep(run.random().nextInt(LATEST_KILL_MS));
            interrupted += burst.isSwept(victim) ? 1 : 0;
            victim.kill();
            victim.launch();
            stack.awaitReady();
            run.round();
        }
        run.remark(interrupted + " of " + rounds + " kills in mid-sweep");
    }
}
