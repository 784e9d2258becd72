package dev.ebb.faults;

import dev.ebb.devstack.ForeignProcess;
import dev.ebb.it.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * PostgreSQL takes half a second for each statement that changes the table of events, while events come in and are swept; in the full
 * set it also stops answering, its connections open, for longer than the sink waits for an answer. The stores do not wait for
 * SQL: a burst is swept meanwhile.
 */
final class SqlSlow implements Fault {

    private static final int EVENTS = 4000;

    private static final List<String> SLOW = List.of("""
            CREATE OR REPLACE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$""", """
            CREATE TRIGGER be_slow BEFORE INSERT OR DELETE ON event FOR EACH STATEMENT EXECUTE FUNCTION be_slow()""");

    private static final List<String> FAST = List.of("DROP TRIGGER be_slow ON event", "DROP FUNCTION be_slow");

    /** The sink gives a connection up after a minute without an answer. */
    private static final Duration NO_ANSWER = Duration.ofSeconds(75);

    @Override
    public String name() {
        return "slowsql";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        Duration slow = Duration.ofSeconds(run.isFull() ? 60 : 20);
        stack.executeSql(SLOW);
        try {
            sweepBurst(stack);
            Thread.sleep(slow.toMillis());
        } finally {
            stack.executeSql(FAST);
        }
        run.round();
        run.remark("half a second a statement for " + slow.toSeconds() + " s");
        if (run.isFull()) {
            stopAnswering(stack);
            run.round();
            run.remark("no answer for " + NO_ANSWER.toSeconds() + " s");
        }
    }

    private static void stopAnswering(FaultStack stack) throws IOException, InterruptedException {
        signal(stack, "STOP");
        try {
            sweepBurst(stack);
            Thread.sleep(NO_ANSWER.toMillis());
        } finally {
            signal(stack, "CONT");
        }
    }

    private static void sweepBurst(FaultStack stack) throws InterruptedException {
        Burst burst = Burst.send(stack, EVENTS);
        burst.awaitSweeper();
        Await.until("the burst is swept", () -> {
            for (Instance instance : stack.instances()) {
                if (burst.isSwept(instance)) {
                    return "not by " + instance.url();
                }
            }
            return "";
        });
    }

    private static void signal(FaultStack stack, String signal) throws IOException, InterruptedException {
        ProcessHandle server = ProcessHandle.of(
                        stack.services().postgres().pid().orElseThrow())
                .orElseThrow();
        List<Long> all = Stream.concat(Stream.of(server), server.descendants())
                .map(ProcessHandle::pid)
                .toList();
        for (long pid : all) {
            ForeignProcess.signal(signal, pid);
        }
    }
}
