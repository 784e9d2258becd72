package dev.ebb.faults;

import dev.ebb.devstack.process.BrokerProcess;

/** The only broker is stopped (SIGTERM) and killed (SIGKILL) in turn, while events come in and are swept. */
final class BrokerRestart implements Fault {

    private static final int EVENTS = 4000;
    private static final int LONGEST_ABSENCE_MS = 8000;

    @Override
    public String name() {
        return "broker";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        BrokerProcess broker = stack.services().broker();
        int revived = stack.revived();
        for (int i = 0; i < run.rounds(2, 6); i++) {
            Burst.send(stack, EVENTS).awaitSweeper();
            if (i % 2 == 0) {
                broker.kill();
            } else {
                broker.stop();
            }
            Thread.sleep(run.random().nextInt(LONGEST_ABSENCE_MS));
            broker.start();
            stack.awaitReady();
            run.round();
        }
        run.remark((stack.revived() - revived) + " instances had to be started again");
    }
}
