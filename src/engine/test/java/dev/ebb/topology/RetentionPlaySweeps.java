package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import dev.ebb.model.RetentionModelPolicies;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.serde.text.PolicyFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Sweeps by hand, each after a dry run or a plan for the very millisecond in which it begins (O-5, O-14). */
final class RetentionPlaySweeps {

    /** Runs that were held against what was said of them before, and those among them that deleted something. */
    static final AtomicLong COMPARED = new AtomicLong();

    static final AtomicLong COMPARED_WITH_DELETES = new AtomicLong();

    /** A dry run, and the policies of a plan when they come into force, take less than that. */
    private static final long LEAD_MS = 60_000;

    private final RetentionPlay play;
    private final RetentionPlayDraw draw;
    private final RetentionPlayPolicies policies;
    private final RetentionPlayCommands commands;

    RetentionPlaySweeps(RetentionPlay play, RetentionPlayPolicies policies, RetentionPlayCommands commands) {
        this.play = play;
        this.draw = play.draw;
        this.policies = policies;
        this.commands = commands;
    }

    void step() {
        Scope scope = draw.oneIn(2) ? Scope.ALL : draw.plainScope();
        long point = play.now() + LEAD_MS + draw.below(10_000);
        List<Long> dues = play.model.dueAfter(play.now() + LEAD_MS);
        if (!dues.isEmpty() && !draw.oneIn(4)) {
            point = Math.max(point, dues.get(draw.below(dues.size())) + draw.below(3) - 1);
        }
        boolean isByHand = play.plan.kind() == RetentionPlayCase.Kind.BY_HAND;
        if (isByHand && draw.oneIn(3)) {
            Map<String, String> said = plan(point);
            run(Scope.ALL, point, said);
        } else {
            Map<String, String> said = dryRun(new Command.SweepNow(scope, point), play.model.policies(), scope, point);
            if (isByHand) {
                run(scope, point, said);
            }
        }
    }

    /** Says what some policies would do, and puts them into force. */
    private Map<String, String> plan(long point) {
        List<RetentionPolicy> file = new ArrayList<>();
        List<Hold> holds = new ArrayList<>();
        RetentionModelPolicies planned = play.model.policies().copy();
        do {
            Scope scope = draw.scope();
            RetentionPolicy policy =
                    draw.policy(scope).toBuilder().confirmed(null).build();
            boolean isNew = file.stream().noneMatch(other -> other.scope().equals(scope));
            if (isNew && !RetentionPlayPolicies.isFaulty(policy)) {
                file.add(policy);
                planned.put(scope.toString(), policy);
            }
        } while (draw.oneIn(2));
        if (draw.oneIn(6) && play.model.policies().covers("PLAN") == null) {
            Hold hold = new Hold("PLAN", draw.plainScope(), "", "", 0);
            holds.add(hold);
            planned.hold("PLAN", hold.covers());
        }
        String text = PolicyFile.yaml(PolicyFile.of(Policies.setOf(file, holds)));
        Map<String, String> said =
                dryRun(new Command.SweepNow(Scope.ALL, point, text, false), planned, Scope.ALL, point);
        file.forEach(policies::set);
        holds.forEach(policies::place);
        return said;
    }

    private Map<String, String> dryRun(
            Command.SweepNow command, RetentionModelPolicies planned, Scope scope, long point) {
        CommandRequest request = commands.request(true, null, command);
        play.note(request.toString());
        Map<String, String> expected = play.model.forecast(planned, isIn(scope), point);
        play.fixture.send(request);
        CommandResult result = finish(request, false);
        assertThat(parts(result)).as("O-5 dry run " + request).isEqualTo(expected);
        assertThat(Outcomes.sweepPointMs(result)).isEqualTo(point);
        return expected;
    }

    private void run(Scope scope, long point, Map<String, String> said) {
        play.settle();
        CommandRequest request = commands.request(false, null, new Command.SweepNow(scope, null));
        play.note("at " + (point - TopologyFixture.T0) + " " + request);
        play.tick(point - play.now() - RetentionPlay.TICK_MS, () -> {});
        play.fixture.send(request);
        CommandResult result = finish(request, true);
        assertThat(Outcomes.sweepPointMs(result)).isEqualTo(point);
        assertThat(parts(result))
                .as("O-5, O-14 the run after it was said what it would do")
                .isEqualTo(said);
        assertThat(result.outcome().deletions().eventsDeleted())
                .isEqualTo(Outcomes.swept(result).parts().biggest().stream()
                        .mapToLong(Outcome.Part::events)
                        .sum());
        COMPARED.incrementAndGet();
        COMPARED_WITH_DELETES.addAndGet(said.isEmpty() ? 0 : 1);
    }

    private CommandResult finish(CommandRequest request, boolean isRun) {
        boolean[] isDone = new boolean[1];
        for (int i = 0; i < 100 && !isDone[0]; i++) {
            play.tick(RetentionPlay.TICK_MS, () -> isDone[0] = isDone(request, isRun));
        }
        play.settle();
        CommandResult result = play.fixture.result(request.commandId());
        assertThat(result).as("result of " + request).isNotNull();
        assertThat(result.state()).as(result.toString()).isEqualTo(CommandResult.State.DONE);
        return result;
    }

    /** In the model a sweep takes everything in the moment in which it is done. */
    private boolean isDone(CommandRequest request, boolean isRun) {
        CommandResult result = play.fixture.result(request.commandId());
        boolean isDone = result != null && result.isFinal();
        if (isDone && isRun) {
            Scope scope = ((Command.SweepNow) request.command()).scope();
            play.model.sweep(Outcomes.sweepPointMs(result), isIn(scope), request.commandId());
        }
        return isDone;
    }

    private static Predicate<RetentionModelStream> isIn(Scope scope) {
        return stream -> switch (scope.kind()) {
            case STREAM -> stream.name.equals(scope.name());
            case NAMESPACE ->
                (stream.name.contains("/") ? stream.name.substring(0, stream.name.indexOf('/')) : "default")
                        .equals(scope.name());
            default -> true;
        };
    }

    private static Map<String, String> parts(CommandResult result) {
        Map<String, String> parts = new TreeMap<>();
        Outcomes.swept(result)
                .parts()
                .biggest()
                .forEach(part -> parts.put(
                        part.stream() + " " + part.cause(), part.events() + " events, " + part.bytes() + " bytes"));
        return parts;
    }
}
