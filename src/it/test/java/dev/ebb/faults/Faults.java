package dev.ebb.faults;

import java.util.List;

/** All faults, in the order in which they are run. */
final class Faults {

    private Faults() {}

    static List<Fault> all() {
        return List.of(
                new KillInSweep(),
                new ColdRestore(),
                new PausedProcess(),
                new BrokerRestart(),
                new JoinAndLeave(),
                new WrongClock(),
                new CorruptState(),
                new OldState(),
                new FullDisk(),
                new PoisonRecords(),
                new OddTimes(),
                new HugeAndHostile(),
                new OversizedRecords(),
                new HostileStorm(),
                new PolicyChanges(),
                new SqlAway(),
                new SqlSlow(),
                new SqlLost(),
                new ConnectKilled(),
                new RegistryAway(),
                new Storm());
    }
}
