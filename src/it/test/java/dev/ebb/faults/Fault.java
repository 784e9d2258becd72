package dev.ebb.faults;

/**
 * One thing that goes wrong. It runs while events come in, mends what it broke, and leaves the stack with all instances
 * running; the suite then stops the load, waits until all is quiet, and asks the oracle.
 */
public interface Fault {

    /** One word, for {@code -Dfaults.only} and the table. */
    String name();

    /** Whether it belongs to the smoke set; all belong to the full one. */
    default boolean isSmoke() {
        return true;
    }

    /** Why this machine cannot have the fault; empty if it can. */
    default String skipped() {
        return "";
    }

    /** Whether nobody may use the stack afterwards. */
    default boolean spoilsStack() {
        return false;
    }

    void run(FaultStack stack, FaultRun run) throws Exception;
}
