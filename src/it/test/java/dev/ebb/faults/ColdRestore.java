package dev.ebb.faults;

/**
 * All instances are killed at once and their state folders are lost: everything comes back from the changelogs, and
 * callers are told meanwhile to come back later, never that a living event is not there.
 */
final class ColdRestore implements Fault {

    private static final int STREAMS = 60;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        var living = stack.load().kept("stay", STREAMS, run.rounds(10_000, 60_000));
        try (LivingReads reads = LivingReads.of(stack, living)) {
            for (int i = 0; i < run.rounds(1, 3); i++) {
                for (Instance instance : stack.instances()) {
                    instance.kill();
                }
                for (Instance instance : stack.instances()) {
                    Folders.delete(instance.stateFolder());
                    instance.launch();
                }
                stack.awaitReady();
                run.round();
            }
            reads.close();
            reads.check(run);
        }
    }
}
