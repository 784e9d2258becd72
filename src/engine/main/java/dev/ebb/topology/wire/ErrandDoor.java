package dev.ebb.topology.wire;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.erase.EraseProgress;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.serde.records.CommandCheck;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import dev.ebb.topology.wire.ErrandBodies.Configured;
import dev.ebb.topology.wire.ErrandBodies.EndSearch;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.wire.ErrandBodies.LogHeld;
import dev.ebb.topology.wire.ErrandBodies.LogRaised;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.wire.ErrandBodies.PolicyRecord;
import dev.ebb.topology.wire.ErrandBodies.Returning;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entry check for errands, which any sender of commands may send: reads the body of an errand and checks all of it
 * before anything is done. An errand that passes can be acted on without another check. Stateless.
 */
public final class ErrandDoor {

    private static final Set<Errand.Step> FOR_GATE = EnumSet.of(
            Errand.Step.ASSESSED,
            Errand.Step.CONFIGURED,
            Errand.Step.CLOCK_AHEAD,
            Errand.Step.LOG_HELD,
            Errand.Step.LOG_RAISED,
            Errand.Step.SOURCE_RESET);

    /** Partition of a receiver that has no partition of the events. */
    public static final int NONE = -1;

    private static final List<String> REQUEST =
            List.of("/request/commandId", "/request/actor", "/request/reason", "/request/isDryRun", "/request/command");

    private final int partition;
    private final int partitions;
    private final RecordReader reader;

    /** @param partition the partition at which errands come in; {@link #NONE} for the policy gate */
    public ErrandDoor(int partition, int partitions, RecordReader reader) {
        this.partition = partition;
        this.partitions = partitions;
        this.reader = reader;
    }

    /**
     * Result of the check of an errand.
     *
     * @param body the body of the errand, of the type of its step; null if the errand is rejected
     * @param rejection the reason why the errand is rejected; null if it is not
     */
    public record Opened(@Nullable Object body, @Nullable Rejection rejection) {

        /** Returns the body of an errand that is not rejected. */
        public <B> B body(Class<B> type) {
            return Objects.requireNonNull(type.cast(body), "the errand was rejected");
        }
    }

    public Opened open(Errand errand) {
        try {
            requireName("the id of the command", errand.commandId());
            return new Opened(read(errand), null);
        } catch (IllegalArgumentException | NullPointerException e) {
            String detail = "an errand of step " + errand.step() + " cannot be taken: " + e.getMessage();
            return new Opened(null, new Rejection(RejectReason.BAD_COMMAND, detail));
        }
    }

    private Object read(Errand errand) {
        if (FOR_GATE.contains(errand.step()) != (partition == NONE)) {
            throw new IllegalArgumentException("it is for " + (partition == NONE ? "a partition" : "the policy gate"));
        }
        return switch (errand.step()) {
            case ASK_PARENT -> askParent(errand);
            case TELL_PARENT -> parent(errand);
            case GATHER -> gather(errand);
            case GATHERED -> answer(errand, Gathered.class, "/candidates", "/skipped", "/isLast");
            case CARRY_OUT -> carryOut(errand);
            case CARRIED_OUT -> answer(errand, CarriedOut.class, "/counts", "/round");
            case END_SEARCH -> answer(errand, EndSearch.class);
            case SWEEP -> sweep(errand);
            case SWEPT -> answer(errand, Swept.class, "/outcome", "/detail");
            case ASSESS -> assess(errand);
            case ASSESSED -> answer(errand, BrakeFinding.class, "/wouldDelete", "/isAtLeast", "/stored");
            case CONFIGURED -> answer(errand, Configured.class, "/settings");
            case CLOCK_AHEAD -> answer(errand, ClockAhead.class, "/seenMs", "/nowMs", "/wouldDelete", "/stored");
            case LOG_HELD -> answer(errand, LogHeld.class, "/source", "/holds");
            case LOG_RAISED -> answer(errand, LogRaised.class, "/source", "/topic", "/from", "/to", "/why");
            case SOURCE_RESET -> answer(errand, SourceReset.class, "/source", "/to", "/offsets", "/actor", "/reason");
            case RETURNING -> answer(errand, Returning.class, "/undo");
            case ERASING -> answer(errand, EraseProgress.class, "/read", "/stored", "/events", "/bytes");
            case COMMITTED -> answer(errand, Fence.class, "/round");
            case FOLLOW -> body(errand, Follow.class, "/" + ErrandBodies.REFLECTED);
        };
    }

    private ParentQuestion parent(Errand errand) {
        ParentQuestion question =
                body(errand, ParentQuestion.class, "/stream", "/child", "/parent", "/partition", "/visited");
        requirePartition("partition", question.partition());
        return question;
    }

    private ParentQuestion askParent(Errand errand) {
        ParentQuestion question = parent(errand);
        requireHere(question.stream());
        return question;
    }

    private Gather gather(Errand errand) {
        Gather question = question(errand, Gather.class, "/limit");
        requireOf(errand, question.request());
        return question;
    }

    private CarryOut carryOut(Errand errand) {
        CarryOut order = question(errand, CarryOut.class, "/streams", "/isDryRun", "/round");
        requireOf(errand, order.request());
        order.streams().forEach(this::requireHere);
        return order;
    }

    private SweepNow sweep(Errand errand) {
        SweepNow order = question(errand, SweepNow.class, "/pointMs");
        requireOf(errand, order.request());
        return order;
    }

    private Assess assess(Errand errand) {
        Assess question = body(errand, Assess.class, "/limit", "/horizonMs", "/" + ErrandBodies.REFLECTED, "/changes");
        question.changes().forEach(this::requirePolicy);
        return question;
    }

    private <B> B question(Errand errand, Class<B> type, String... required) {
        requirePartition("sender", errand.sender());
        return JsonState.readSent(
                errand.body(),
                type,
                Stream.concat(REQUEST.stream(), Stream.of(required)).toList());
    }

    private <B> B answer(Errand errand, Class<B> type, String... required) {
        requirePartition("sender", errand.sender());
        return body(errand, type, required);
    }

    private static <B> B body(Errand errand, Class<B> type, String... required) {
        return JsonState.readSent(errand.body(), type, List.of(required));
    }

    /** Requires a valid request: an errand carries the request out like a command, so the same checks apply. */
    private static void requireOf(Errand errand, CommandRequest request) {
        if (!request.commandId().equals(errand.commandId())) {
            throw new IllegalArgumentException("its command is " + request.commandId());
        }
        String problem = CommandCheck.problem(request);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    private void requirePolicy(PolicyRecord change) {
        byte[] value = change.value();
        if (value != null && reader.readPolicy(change.key(), value) instanceof DecodedPolicy.Bad bad) {
            throw new IllegalArgumentException(
                    change.key() + ": " + bad.rejection().detail());
        }
    }

    private void requireHere(String stream) {
        int home = StreamPartition.of(new StreamName(stream), partitions);
        if (home != partition) {
            throw new IllegalArgumentException("stream " + stream + " is in partition " + home);
        }
    }

    private void requirePartition(String what, int number) {
        if (number < 0 || number >= partitions) {
            throw new IllegalArgumentException(
                    what + " must be a partition from 0 to " + (partitions - 1) + ", was " + number);
        }
    }

    private static void requireName(String what, String name) {
        String problem = NameRule.problem(name);
        if (problem != null) {
            throw new IllegalArgumentException(what + " " + problem);
        }
    }
}
