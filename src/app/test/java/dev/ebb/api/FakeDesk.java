package dev.ebb.api;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.port.CommandDesk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/** Carries nothing out: the next command gets the result that a test prepared. */
public final class FakeDesk implements CommandDesk {

    static final long STARTED_MS = 1000;

    public final List<CommandRequest> submitted = Collections.synchronizedList(new ArrayList<>());

    /** Dry runs that were counts of an undo. */
    public final List<CommandRequest> undoCounts = new ArrayList<>();

    public final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
    final Map<String, CommandResult> results = new ConcurrentHashMap<>();
    public State state = State.DONE;
    public Refusal refusal;
    public String detail = "";
    public Outcome.Deleted counts = Outcome.Deleted.NOTHING;
    public List<Outcome.Part> parts = List.of();
    public List<Outcome.Rest> rest = List.of();
    public RuntimeException failure;

    /** The plan that the next command has made or carried out. */
    PlanOutcome plan;

    /** What a dry run of an undo finds, whatever comes of the undo itself; null: it gets the result of any command. */
    public Outcome.Undone counted;

    /** What partitions know of commands; a result without a reporter is not from the topic. */
    public final Map<Integer, Map<String, CommandResult>> states = new HashMap<>();

    public final Map<String, Integer> reporters = new HashMap<>();

    /** Happens while a partition is asked what it knows, by partition. */
    public final Map<Integer, Runnable> whenAsked = new HashMap<>();

    /** Happens while a caller waits for a result. */
    public volatile Runnable whenAwaited = () -> {};

    private long reports;

    /** Throws if this instance does not keep the partition. */
    public IntConsumer require = partition -> {};

    /** Verdict of the brake on a planned file. */
    boolean heldBack;

    long rowsWouldGo;

    /** Version of the policies that the next command applies. */
    long policyVersion = -1;

    /** Time at which the next command begins. */
    long startedMs = STARTED_MS;

    @Override
    public void submit(CommandRequest request, String caller) {
        boolean isCount = request.isDryRun() && counted != null;
        if (failure != null && !isCount) {
            throw failure;
        }
        (isCount ? undoCounts : submitted).add(request);
        results.putIfAbsent(
                request.commandId(),
                new CommandResult(
                        request.commandId(),
                        request.command().verb(),
                        isCount ? State.DONE : state,
                        isCount ? null : refusal,
                        detail,
                        request.isDryRun(),
                        isCount ? counted : outcome(request),
                        plan,
                        null,
                        Instant.ofEpochMilli(startedMs),
                        Instant.ofEpochMilli(startedMs + 1000),
                        request.fingerprint()));
    }

    private Outcome outcome(CommandRequest request) {
        if (request.command() instanceof Command.RepairMirror) {
            return new Outcome.Repaired(0, 0);
        }
        if (request.command() instanceof Command.SweepNow) {
            var swept = new Outcome.Swept(counts, new Outcome.Parts(parts, 0, rest), Instant.EPOCH, policyVersion)
                    .losingRows(rowsWouldGo);
            return heldBack ? swept.heldBackByBrake() : swept;
        }
        return counts;
    }

    @Override
    public Optional<CommandResult> find(String commandId) {
        return Optional.ofNullable(results.get(commandId));
    }

    @Override
    public Optional<CommandResult> await(String commandId, Duration wait) {
        waits.add(wait);
        whenAwaited.run();
        return find(commandId);
    }

    /** As if someone else had written a result to that partition of the topic. */
    public void forge(int partition, CommandResult result) {
        reports++;
        results.put(result.commandId(), result);
        reporters.put(result.commandId(), partition);
    }

    public void knows(int partition, CommandResult result) {
        states.computeIfAbsent(partition, number -> new HashMap<>()).put(result.commandId(), result);
    }

    @Override
    public Optional<Report> report(String commandId, Duration wait) {
        Integer partition = reporters.get(commandId);
        OptionalInt from = partition == null ? OptionalInt.empty() : OptionalInt.of(partition);
        Optional<CommandResult> found = wait.isZero() ? find(commandId) : await(commandId, wait);
        return found.map(result -> new Report(result, from, reports));
    }

    @Override
    public Optional<CommandResult> known(int partition, String commandId) {
        require.accept(partition);
        whenAsked.getOrDefault(partition, () -> {}).run();
        return Optional.ofNullable(states.getOrDefault(partition, Map.of()).get(commandId));
    }

    @Override
    public boolean settle(Report denied, int partition, CommandResult known) {
        if (denied.number() != reports) {
            return false;
        }
        String commandId = denied.result().commandId();
        results.remove(commandId);
        reporters.remove(commandId);
        if (known != null) {
            forge(partition, known);
        }
        return true;
    }
}
