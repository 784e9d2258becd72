package dev.ebb.topology;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;

/** Settings like others, but for what a test is about. */
public final class SettingsLike {

    private final TopologySettings others;
    private TerminalStatuses terminalStatuses;
    private BuiltInPolicies builtIn;
    private boolean sweepEnabled;
    private Duration sweepSlice;
    private BrakeLimits brakeLimits;
    private ParkingLimits parkingLimits;
    private int recordMaxBytes;
    private Duration undoMax;
    private Duration undoNotice;
    private Duration graveRetention;
    private CrowdLimits crowdLimits;
    private Limit clockMaxGap;

    public SettingsLike(TopologySettings others) {
        this.others = others;
        this.terminalStatuses = others.terminalStatuses();
        this.builtIn = others.builtIn();
        this.sweepEnabled = others.sweepEnabled();
        this.sweepSlice = others.sweepSlice();
        this.brakeLimits = others.brakeLimits();
        this.parkingLimits = others.parkingLimits();
        this.recordMaxBytes = others.recordMaxBytes();
        this.undoMax = others.undoMax();
        this.undoNotice = others.undoNotice();
        this.graveRetention = others.graveRetention();
        this.crowdLimits = others.crowdLimits();
        this.clockMaxGap = others.clockMaxGap();
    }

    public SettingsLike terminalStatuses(TerminalStatuses statuses) {
        terminalStatuses = statuses;
        return this;
    }

    public SettingsLike builtIn(BuiltInPolicies policies) {
        builtIn = policies;
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

    public SettingsLike clockMaxGap(Limit most) {
        clockMaxGap = most;
        return this;
    }

    public SettingsLike brakeLimits(BrakeLimits limits) {
        brakeLimits = limits;
        return this;
    }

    public SettingsLike parkingLimits(ParkingLimits limits) {
        parkingLimits = limits;
        return this;
    }

    SettingsLike recordMaxBytes(int bytes) {
        recordMaxBytes = bytes;
        return this;
    }

    SettingsLike undoMax(Duration most) {
        undoMax = most;
        return this;
    }

    public SettingsLike undoNotice(Duration notice) {
        undoNotice = notice;
        return this;
    }

    SettingsLike crowdLimits(CrowdLimits limits) {
        crowdLimits = limits;
        return this;
    }

    SettingsLike graveRetention(Duration retention) {
        graveRetention = retention;
        return this;
    }

    public TopologySettings make() {
        return new TopologySettings(
                terminalStatuses,
                builtIn,
                sweepEnabled,
                others.sweepIntervalMs(),
                others.sweepBatchDeletes(),
                sweepSlice,
                recordMaxBytes,
                brakeLimits,
                others.changelogConfig(),
                others.staleThreshold(),
                others.idlePeriod(),
                parkingLimits,
                undoMax,
                undoNotice,
                graveRetention,
                crowdLimits,
                clockMaxGap,
                others.streamCacheBytes());
    }
}
