package dev.ebb.topology;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BrakeLimits;
import java.time.Duration;

/** Settings like others, but for what a test is about. */
final class SettingsLike {

    private final TopologySettings others;
    private TerminalStatuses terminalStatuses;
    private boolean sweepEnabled;
    private Duration sweepSlice;
    private BrakeLimits brakeLimits;

    SettingsLike(TopologySettings others) {
        this.others = others;
        this.terminalStatuses = others.terminalStatuses();
        this.sweepEnabled = others.sweepEnabled();
        this.sweepSlice = others.sweepSlice();
        this.brakeLimits = others.brakeLimits();
    }

    SettingsLike terminalStatuses(TerminalStatuses statuses) {
        terminalStatuses = statuses;
        return this;
    }

    SettingsLike sweepEnabled(boolean isEnabled) {
        sweepEnabled = isEnabled;
        return this;
    }

    SettingsLike sweepSlice(Duration slice) {
        sweepSlice = slice;
        return this;
    }

    SettingsLike brakeLimits(BrakeLimits limits) {
        brakeLimits = limits;
        return this;
    }

    TopologySettings make() {
        return new TopologySettings(
                terminalStatuses,
                others.builtIn(),
                sweepEnabled,
                others.sweepIntervalMs(),
                others.sweepBatchDeletes(),
                sweepSlice,
                others.recordMaxBytes(),
                brakeLimits,
                others.changelogConfig(),
                others.staleThreshold(),
                others.idlePeriod());
    }
}
