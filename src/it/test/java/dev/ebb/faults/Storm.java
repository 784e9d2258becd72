package dev.ebb.faults;

import java.time.Duration;

/** A minute of kills, pauses and restarts of the broker by chance, one upon the other, some before the last has healed. */
final class Storm implements Fault {

    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final int EVENTS = 1000;
    private static final int LONGEST_BREAK_MS = 6000;
    private static final int LONGEST_PAUSE_MS = 9000;

    @Override
    public String name() {
        return "storm";
    }

    @Override
    public boolean isSmoke() {
        return false;
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        long end = System.nanoTime() + LENGTH.toNanos();
        while (System.nanoTime() < end) {
            Burst.send(stack, EVENTS);
            Thread.sleep(run.random().nextInt(LONGEST_BREAK_MS));
            strike(stack, run);
            stack.revive();
            run.round();
        }
        run.remark(stack.revived() + " instances gave up and were started again");
    }

    private static void strike(FaultStack stack, FaultRun run) throws InterruptedException {
        Instance victim =
                stack.instances().get(run.random().nextInt(stack.instances().size()));
        switch (run.random().nextInt(4)) {
            case 0 -> victim.kill();
            case 1 -> victim.stop();
            case 2 -> {
                victim.pause();
                Thread.sleep(run.random().nextInt(LONGEST_PAUSE_MS));
                victim.resume();
            }
            default -> {
                stack.services().broker().kill();
                stack.services().broker().start();
            }
        }
    }
}
