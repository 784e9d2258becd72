package dev.ebb.faults;

import java.util.List;

/** All faults, in the order in which they are run. */
final class Faults {

    private Faults() {}

    static List<Fault> all() {
        return List.of(new KillInSweep());
    }
}
