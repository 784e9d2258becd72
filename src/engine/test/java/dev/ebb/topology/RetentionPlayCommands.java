package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.RetentionModelCommands;
import dev.ebb.model.RetentionModelCommands.Answer;
import dev.ebb.store.StoreCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The commands that a play sends; each result must say what the model says (O-9). */
final class RetentionPlayCommands {

    /** Results are remembered for as long as the topic of commands keeps its records, and a little longer. */
    private static final long REMEMBERED_MS = Duration.ofDays(7).toMillis();

    private final RetentionPlay play;
    private final RetentionPlayDraw draw;
    private final RetentionPlaySweeps sweeps;
    private @Nullable CommandRequest last;
    private long lastAtMs;
    private int sent;

    RetentionPlayCommands(RetentionPlay play, RetentionPlayPolicies policies) {
        this.play = play;
        this.draw = play.draw;
        this.sweeps = new RetentionPlaySweeps(play, policies, this);
    }

    void step() {
        boolean isSweep = draw.oneIn(play.plan.kind() == RetentionPlayCase.Kind.BY_HAND ? 2 : 6);
        if (!play.becomesQuiet()) {
            return;
        }
        if (isSweep) {
            sweeps.step();
        } else if (last != null && play.now() - lastAtMs < REMEMBERED_MS && draw.oneIn(6)) {
            again(last);
        } else {
            command();
        }
    }

    /** A sweep by hand after some input, without which most of them would find nothing. */
    void sweep() {
        for (int i = 0; i < 3; i++) {
            play.input().event();
        }
        if (play.becomesQuiet()) {
            sweeps.step();
        }
    }

    private void command() {
        CommandRequest request = request(draw.oneIn(5), draw.oneIn(8) ? Long.valueOf(draw.below(4)) : null, draw());
        play.note(request.toString());
        play.fixture.send(request);
        boolean hasCrash = draw.oneIn(8);
        boolean[] isDone = new boolean[1];
        for (int i = 0; i < 100 && !isDone[0]; i++) {
            play.tick(RetentionPlay.TICK_MS, () -> isDone[0] = isAnswered(request));
            if (hasCrash
                    && i == 0
                    && play.mayRestart()
                    && !play.rhythms.mayTakeSomethingAfterRestart(play.now() + 20_000)) {
                play.restartAsItIs();
            }
        }
        assertThat(isDone[0]).as("O-11 end of " + request).isTrue();
        last = request;
        lastAtMs = play.now();
        if (draw.oneIn(3) && request.command() instanceof Command.DeleteStream delete) {
            // Behind the deletion its name is used again at once (O-10).
            play.input().event(delete.stream());
        } else if (draw.oneIn(3) && request.command() instanceof Command.DeleteStream delete) {
            play.input().afterDelete(delete.stream(), play.now());
        }
        play.settle();
    }

    /** Once there is a result the model does the same in the same moment. */
    private boolean isAnswered(CommandRequest request) {
        CommandResult result = play.fixture.result(request.commandId());
        if (result == null || !result.isFinal()) {
            return false;
        }
        Answer expected = RetentionModelCommands.carryOut(play.model, request, play.now());
        rememberWhen(request);
        assertThat(text(result.refusal(), result.outcome().deletions()))
                .as("O-9 result of " + request)
                .isEqualTo(text(expected.refusal(), expected.counts()));
        assertThat(result.state())
                .isEqualTo(expected.refusal() == null ? CommandResult.State.DONE : CommandResult.State.REFUSED);
        return true;
    }

    /** A command over many streams has deleted them one by one on its way to the answer. */
    private void rememberWhen(CommandRequest request) {
        Map<String, Long> graves = StoreCheck.graves(play.fixture.rawUsage().all());
        assertThat(graves.keySet()).as("O-10 graves after " + request).isEqualTo(standing());
        graves.values().forEach(deletedMs -> assertThat(deletedMs).isLessThanOrEqualTo(play.now()));
        play.model.graves().putAll(graves);
    }

    private Set<String> standing() {
        return play.model.graves().keySet().stream()
                .filter(name -> play.model.stands(name, play.now()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(@Nullable Object refusal, Deleted counts) {
        return (refusal == null ? "done" : refusal) + ", " + counts;
    }

    /** A repeated id changes nothing and is answered as before, whatever it asks for (O-11). */
    private void again(CommandRequest before) {
        boolean isOther = draw.oneIn(3) && before.command() instanceof Command.OfStream;
        Command command = isOther
                ? new Command.DeleteStream(((Command.OfStream) before.command()).stream(), true)
                : before.command();
        play.note("again " + before.commandId() + " with " + command);
        CommandResult known = play.fixture.result(before.commandId());
        int results = play.fixture.results.size();
        play.fixture.send(new CommandRequest(before.commandId(), "anna", "again", false, null, command));
        play.settle();
        assertThat(play.fixture.results.subList(results, play.fixture.results.size()))
                .as("O-11 the same command twice")
                .containsOnly(known);
    }

    String newId() {
        return "c" + ++sent;
    }

    CommandRequest request(boolean isDryRun, @Nullable Long maxDeletes, Command command) {
        return new CommandRequest(newId(), "anna", "clean-up", isDryRun, isDryRun ? null : maxDeletes, command);
    }

    private Command draw() {
        StreamName stream = draw.oneIn(10) ? new StreamName("missing/1") : draw.stream();
        return switch (draw.below(8)) {
            case 0, 1 -> new Command.DeleteStream(stream, draw.oneIn(3));
            case 2 -> new Command.PurgeStreams(filter());
            case 3 -> new Command.PruneStream(stream, condition());
            case 4 -> new Command.PruneStreams(filter(), condition(), draw.oneIn(2));
            case 5 -> new Command.DeleteEvent(stream, draw.id(), draw.oneIn(3));
            default -> ttl(stream);
        };
    }

    private Command ttl(StreamName stream) {
        if (draw.oneIn(2)) {
            return new Command.SetTtl(stream, draw.id(), OwnTtl.NONE, 1L + draw.below(100_000));
        }
        OwnTtl wish = draw.ttl(play.now());
        OwnTtl ttl = wish.ttlSeconds() == null ? wish : OwnTtl.NONE;
        return new Command.SetTtl(stream, draw.id(), ttl, null);
    }

    private PruneCondition condition() {
        Long keepLast = draw.oneIn(2) ? Long.valueOf(draw.below(4)) : null;
        return new PruneCondition(keepLast, draw.oneIn(2) ? time() : null);
    }

    private StreamFilter filter() {
        List<StreamName> names = new ArrayList<>();
        while (names.size() < 4 && draw.oneIn(2)) {
            names.add(draw.stream());
        }
        return new StreamFilter(
                draw.oneIn(3) ? names : null,
                draw.oneIn(2) ? time() : null,
                draw.oneIn(4) ? draw.stream().namespace() : null,
                draw.oneIn(2) ? 1 + draw.below(3) : 1000,
                draw.oneIn(2));
    }

    /** A time at which something was completed, or beside it. */
    private Long time() {
        List<Long> times = play.model.completions();
        return times.isEmpty() || draw.oneIn(3)
                ? Long.valueOf(play.now() - draw.below(200_000))
                : Long.valueOf(times.get(draw.below(times.size())) + draw.below(3) - 1);
    }
}
