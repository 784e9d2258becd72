package dev.ebb.faults;

import java.time.Duration;

/** PostgreSQL is stopped, and in every other round killed, for 90 s (smoke: 30 s), while events come in and are swept. */
final class SqlAway implements Fault {

    private static final int EVENTS = 4000;

    @Override
    public String name() {
        return "sql";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        Duration absence = Duration.ofSeconds(run.isFull() ? 90 : 30);
        for (int i = 0; i < run.rounds(1, 2); i++) {
            Burst.send(stack, EVENTS).awaitSweeper();
            if (i % 2 == 0) {
                stack.services().postgres().stop();
            } else {
                stack.services().postgres().kill();
            }
            Thread.sleep(absence.toMillis());
            stack.services().postgres().start();
            run.round();
        }
        run.remark("away for " + absence.toSeconds() + " s");
    }
}
