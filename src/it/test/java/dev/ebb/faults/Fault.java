package dev.ebb.faults;

/**
 * One thing that goes wrong. It runs while events come in, mends what it broke, and leaves the stack with all instances
 * running; the suite then stops the load, waits until all is quiet, and asks the oracle.
 */
public interface Fault {

    /** One word, for {@code -Dfaults.only} and the table. */
    String name();

    /** Returns true if the fault belongs to the smoke set; all belong to the full one. */
    default boolean isSmoke() {
        return true;
    }

    /** Reason why this machine cannot have the fault; empty if it can. */
    default String skipped() {
        return "";
    }

    /** Returns true if the stack is of no use afterwards. */
    default boolean spoilsStack() {
        return false;
    }

    void run(FaultStack stack, FaultRun run) throws Exception;
}
