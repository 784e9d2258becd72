package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModelRhythms;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One random sequence of input, policies, holds, commands, outages, clock and restarts, played by the whole topology and by a
 * plain model. After each step both must hold the same events, and must have removed the same ones for the same reasons.
 *
 * <p>The model is told when a sweep began, by its report or its status, and nothing else. A sweep that found nothing
 * must find nothing in the model either. Work of several ticks, a command or a question of the brake, is asked for only
 * while no sweep could take anything in between, so that the model can do it at one instant.
 */
final class RetentionPlay {

    static final long TICK_MS = 1000;

    private static final int PATIENCE = 10_000;
    private static final long QUIET_MS = 20_000;

    final RetentionPlayCase plan;
    final TopologyFixture fixture;
    final RetentionModel model = new RetentionModel();
    final RetentionModelRhythms rhythms;
    final RetentionPlayDraw draw;
    final List<String> log = new ArrayList<>();

    private final RetentionPlayInput input;
    private final RetentionPlayPolicies policies;
    private final RetentionPlayCommands commands;
    private final RetentionPlayCheck check;
    private final RetentionPlayRush rush;
    private int reportsSeen;
    private int pointsSeen;
    private boolean wasAtRest;

    RetentionPlay(RetentionPlayCase plan, TopologyFixture fixture) {
        this.plan = plan;
        this.fixture = fixture;
        this.rhythms = new RetentionModelRhythms(
                model, plan.intervalMs().isPresent() ? plan.intervalMs().getAsLong() : null);
        this.draw = new RetentionPlayDraw(plan.kind());
        this.input = new RetentionPlayInput(this);
        this.policies = new RetentionPlayPolicies(this);
        this.commands = new RetentionPlayCommands(this, policies);
        this.check = new RetentionPlayCheck(this);
        this.rush = new RetentionPlayRush(this);
    }

    /** Plays those of the steps. */
    void run(List<Integer> steps) {
        settle();
        for (int step : steps) {
            draw.next(plan.steps().get(step));
            log.add(step + ":");
            step();
            compare();
        }
        log.add("end:");
        input.registryUp();
        settle();
        compare();
    }

    private void step() {
        int dice = draw.below(100);
        if (!plan.hasNoBatches() && !input.isRegistryDown() && draw.oneIn(10)) {
            rush.step();
        } else if (draw.below(100) < plan.sweepPercent() && !input.isRegistryDown()) {
            commands.sweep();
        } else if (dice < 42) {
            input.event();
        } else if (dice < 52) {
            input.update();
        } else if (dice < 61) {
            input.execution();
        } else if (dice < 63) {
            input.registryOrGarbage();
        } else if (dice < 73) {
            clock();
        } else if (dice < 76) {
            restart();
        } else if (input.isRegistryDown()) {
            clock();
        } else if (dice < 83) {
            policies.policy();
        } else if (dice < 86) {
            policies.hold();
        } else if (dice < 88) {
            policies.confirm();
        } else {
            commands.step();
        }
    }

    private void clock() {
        List<Long> dues = model.dueAfter(now() + TICK_MS);
        long ms = RetentionPlayDraw.AGES[draw.below(RetentionPlayDraw.AGES.length)] + TICK_MS + draw.below(3) - 1;
        if (!dues.isEmpty() && draw.oneIn(3)) {
            // A tick in the millisecond in which an event falls due, or just beside it.
            ms = dues.get(draw.below(Math.min(5, dues.size()))) + draw.below(3) - 1 - now();
        } else if (plan.kind() == RetentionPlayCase.Kind.RHYTHM && draw.oneIn(2)) {
            ms = 1000L + draw.below(8 * 3_600_000);
        }
        note("the clock goes on by " + ms);
        tick(Math.max(TICK_MS, ms), () -> {});
        settle();
    }

    private void restart() {
        if (!mayRestart()) {
            return;
        }
        if (draw.oneIn(3)) {
            boolean isDefault = draw.oneIn(2);
            TerminalStatuses statuses = isDefault
                    ? TerminalStatuses.DEFAULT
                    : new TerminalStatuses(List.of("completed", "archived", "running"));
            note("restart with the terminal statuses " + statuses);
            fixture.restartUnder(with(statuses));
            model.terminal(
                    isDefault
                            ? Set.of("completed", "failed", "cancelled", "read")
                            : Set.of("completed", "archived", "running"),
                    now() + TICK_MS);
            rhythms.restart();
        } else {
            restartAsItIs();
        }
        settle();
    }

    /** A started driver counts the offsets of policies from 0 again, by which the brake tells apart what waits. */
    boolean mayRestart() {
        return !input.isRegistryDown() && fixture.view().waiting().isEmpty();
    }

    void restartAsItIs() {
        note("restart");
        fixture.restart();
        rhythms.restart();
    }

    private TopologySettings with(TerminalStatuses statuses) {
        return new SettingsLike(fixture.settings()).terminalStatuses(statuses).make();
    }

    long now() {
        return fixture.nowMs();
    }

    void note(String what) {
        log.add("  at " + (now() - TopologyFixture.T0) + ": " + what);
    }

    /**
     * Time goes by until nothing is under way. With small batches it is only known that a sweep has left nothing if it began
     * when nothing was under way and ended in that tick.
     */
    void settle() {
        boolean wasBusy = true;
        for (int i = 0; i < PATIENCE && (i == 0 || isBusy() || (wasBusy && !plan.hasNoBatches())); i++) {
            wasBusy = isBusy();
            tick(TICK_MS, () -> {});
        }
    }

    private boolean isBusy() {
        TaskStatus status = fixture.observer.status;
        return status == null
                || status.sweepState() == TaskStatus.SweepState.SWEEPING
                || status.sweepState() == TaskStatus.SweepState.TAKING_IN_POLICIES
                || status.movingStreams() > 0
                || fixture.hasRetired()
                || StoreCheck.hasPending(fixture.rawUsage().all());
    }

    /** Waits until no sweep can take anything for a while; returns false if that does not come about. */
    boolean becomesQuiet() {
        for (int i = 0; i < 5; i++) {
            rhythms.notice();
            if (!rhythms.mayTakeSomething(now(), now() + QUIET_MS)) {
                return true;
            }
            tick(QUIET_MS, () -> {});
            settle();
        }
        return false;
    }

    /**
     * Lets the time pass, and lets the model follow.
     *
     * @param change change in that tick besides sweeps; before those that find something, and after those that do not
     */
    void tick(long ms, Runnable change) {
        rhythms.notice();
        wasAtRest = plan.hasNoBatches() || !isBusy();
        boolean mustSweep = plan.kind() == RetentionPlayCase.Kind.RHYTHM && rhythms.isAnyDue(now() + ms);
        fixture.advance(ms);
        List<SweepReport> reports = newReports();
        List<SweepReport> warnings =
                reports.stream().filter(report -> report.mode().equals("warn")).toList();
        reports.removeAll(warnings);
        List<Long> silent = newPoints();
        assertThat(!mustSweep || silent.contains(now()))
                .as("O-1 a sweep that was due at " + now())
                .isTrue();
        silent.removeIf(point -> reports.stream().anyMatch(report -> report.sweepPointMs() == point));
        reports.stream().filter(report -> report.sweepPointMs() < now()).forEach(this::follow);
        silent.forEach(this::followSilent);
        change.run();
        reports.stream().filter(report -> report.sweepPointMs() == now()).forEach(this::follow);
        if (canTellWarnings()) {
            warnings.forEach(check::warned);
        }
        rhythms.notice();
    }

    /**
     * Returns true if all streams that are only warned of are looked at in one moment, and by policies that are in
     * force before.
     */
    private boolean canTellWarnings() {
        return plan.hasNoBatches()
                && plan.kind() != RetentionPlayCase.Kind.RHYTHM
                && !plan.brake().isOn();
    }

    private List<SweepReport> newReports() {
        List<SweepReport> fresh = new ArrayList<>();
        for (; reportsSeen < fixture.reports.size(); reportsSeen++) {
            SweepReport report = fixture.reports.get(reportsSeen);
            if (report.trigger().equals(Trigger.SCHEDULE.name())) {
                fresh.add(report);
            }
        }
        return fresh;
    }

    private List<Long> newPoints() {
        List<Long> points = fixture.observer.sweepPoints;
        List<Long> fresh = new ArrayList<>(points.subList(pointsSeen, points.size()));
        pointsSeen = points.size();
        return fresh;
    }

    /** While streams are on their way into another order they wait, so then the model cannot tell. */
    private void followSilent(long point) {
        if (wasAtRest) {
            assertThat(sweepModel(point, "silent"))
                    .as("a sweep at " + point + " that found nothing")
                    .isEmpty();
        }
        rhythms.swept(point);
    }

    private void follow(SweepReport report) {
        if (report.isStoppedEarly() || rush.isOn()) {
            check.sweptPart(report);
            rhythms.swept(report.sweepPointMs());
            return;
        }
        Map<String, List<String>> removed = sweepModel(report.sweepPointMs(), report.sweepId());
        Map<String, Long> found = new TreeMap<>();
        report.deleted().forEach((cause, tally) -> found.put(cause, tally.events()));
        Map<String, Long> expected = new TreeMap<>();
        removed.forEach((cause, ids) -> expected.put(cause, (long) ids.size()));
        assertThat(found)
                .as("O-4 report of the sweep at " + report.sweepPointMs())
                .isEqualTo(expected);
        rhythms.swept(report.sweepPointMs());
    }

    private Map<String, List<String>> sweepModel(long point, String sweepId) {
        return model.sweep(point, stream -> !input.waits(stream.name) && rhythms.isDue(stream, point), sweepId);
    }

    RetentionPlayInput input() {
        return input;
    }

    RetentionPlayCheck check() {
        return check;
    }

    private void compare() {
        if (!input.isRegistryDown()) {
            check.compare();
        }
    }
}
