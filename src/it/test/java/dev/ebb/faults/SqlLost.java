package dev.ebb.faults;

import java.util.List;

/**
 * The database loses all events, and the sink's positions in the log, while events come in and are swept. The log tells
 * it everything that is stored.
 */
final class SqlLost implements Fault {

    private static final int EVENTS = 4000;

    @Override
    public String name() {
        return "lostsql";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        for (int i = 0; i < run.rounds(1, 3); i++) {
            Burst.send(stack, EVENTS).awaitSweeper();
            // Together, as a database that is restored without them has lost both at one moment.
            stack.executeSql(List.of("TRUNCATE event, mirror_position"));
            run.round();
        }
    }
}
