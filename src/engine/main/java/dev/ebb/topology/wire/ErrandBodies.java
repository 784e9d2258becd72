package dev.ebb.topology.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseFindings;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of the steps of an errand. Each checks itself as far as it can without knowing its partition, and throws
 * {@link IllegalArgumentException} or {@link NullPointerException} with a message for people.
 */
public final class ErrandBodies {

    /** Largest number of parents in a chain; a longer chain is refused like a cycle. */
    public static final int MAX_HOPS = 64;

    /** Largest number of streams that one errand names. */
    static final int MOST_STREAMS = 1000;

    /** Field of an errand with the offset up to which policies must reflect their topic. */
    static final String REFLECTED = "sourceOffset";

    private ErrandBodies() {}

    private static void requireNames(List<String> names, int most) {
        if (names.size() > most) {
            throw new IllegalArgumentException(
                    "at most " + most + " streams may be named, but there are " + names.size());
        }
        names.forEach(ErrandBodies::requireName);
    }

    private static void requireName(@Nullable String name) {
        String problem = StreamName.problem(name);
        if (problem != null) {
            throw new IllegalArgumentException("the name of a stream " + problem);
        }
    }

    private static void requireAtLeast(long least, String what, long number) {
        if (number < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", was " + number);
        }
    }

    private static void requireMany(CommandRequest request) {
        Objects.requireNonNull(request, "the command is missing");
        if (!(request.command() instanceof Command.OfStreams)) {
            throw new IllegalArgumentException(request.command().verb() + " is no command over many streams");
        }
    }

    /**
     * Question to an ancestor, or the answer on its way back (O-12).
     *
     * @param stream the stream that is asked; in an answer, the stream that settled it
     * @param child the stream whose parents are asked
     * @param parent the parent that the child named when it asked
     * @param partition the partition of the child
     * @param visited every name on the way, the child first
     * @param refusal in an answer, the reason why the child must stay; null if there is none
     */
    public record ParentQuestion(
            String stream,
            String child,
            String parent,
            int partition,
            List<String> visited,
            @Nullable Refusal refusal) {

        public ParentQuestion {
            requireName(stream);
            requireName(child);
            requireName(parent);
            requireNames(Objects.requireNonNull(visited, "visited is missing"), MAX_HOPS + 2);
        }
    }

    /**
     * Request for streams that match the filter of a command.
     *
     * @param request the command
     * @param after only candidates after this one; null for the first page
     * @param limit the largest number of streams in the answer
     */
    public record Gather(CommandRequest request, @Nullable Candidate after, int limit) {

        public Gather {
            requireMany(request);
            requireAtLeast(1, "the limit", limit);
            if (limit > MOST_STREAMS) {
                throw new IllegalArgumentException("the limit must be at most " + MOST_STREAMS + ", was " + limit);
            }
        }
    }

    /**
     * Streams that match, the oldest completion first, then by name.
     *
     * @param skipped streams that match but are open or held; counted with the first page only
     * @param isLast true if no more follow
     * @param missing the first streams that the command names and that do not exist there; null if the answer is of a
     *     version that did not name them
     */
    public record Gathered(
            List<Candidate> candidates,
            Deleted skipped,
            boolean isLast,
            @Nullable List<String> missing) {

        public Gathered {
            candidates.forEach(candidate -> Objects.requireNonNull(candidate, "a candidate is missing"));
            requireNames(candidates.stream().map(Candidate::stream).toList(), MOST_STREAMS);
            Objects.requireNonNull(skipped, "skipped is missing");
            requireNames(Objects.requireNonNullElse(missing, List.of()), MOST_STREAMS);
        }
    }

    /**
     * Stream that matches.
     *
     * @param completedMs its completion, epoch milliseconds; -1 if nothing in it was ever completed
     */
    public record Candidate(String stream, long completedMs) implements Comparable<Candidate> {

        public Candidate {
            requireName(stream);
        }

        @Override
        public int compareTo(Candidate other) {
            int byTime = Long.compare(completedMs, other.completedMs);
            return byTime != 0 ? byTime : stream.compareTo(other.stream);
        }
    }

    /**
     * Order to carry a command out on some streams.
     *
     * @param request the command
     * @param isDryRun true to count only, whatever the command says
     * @param round number that distinguishes the rounds of one command
     * @param mostDeletes the largest number of events that may go; null for no limit
     * @param awaited the work waits for these policies; null for none
     */
    public record CarryOut(
            CommandRequest request,
            List<String> streams,
            boolean isDryRun,
            int round,
            @Nullable Long mostDeletes,
            @Nullable PolicyEdition awaited) {

        public CarryOut {
            requireMany(request);
            requireNames(streams, MOST_STREAMS);
        }
    }

    /**
     * Result of a {@link CarryOut}; {@code round} as in the order.
     *
     * @param plan tally of the events that it has listed, or of its plan; null if there is none
     */
    public record CarriedOut(
            Deleted counts, int round, @Nullable PlanTally plan) {

        public CarriedOut {
            Objects.requireNonNull(counts, "counts is missing");
        }
    }

    /** End of the search for the streams of a command; there is nothing more to say. */
    public record EndSearch() {}

    /**
     * Order to sweep now, or to act on waiting records.
     *
     * @param request the command
     * @param pointMs the time against which everything is decided
     * @param isCount true if the order is to count for the brake whether an erasure may go, and to erase nothing
     * @param limit the most events that an erasure may take; null for any number
     * @param awaited sweeps and undos wait for these policies; null for none
     */
    public record SweepNow(
            CommandRequest request,
            long pointMs,
            boolean isCount,
            @Nullable EraseLimit limit,
            @Nullable PolicyEdition awaited) {

        /** Makes an order that waits for policies, and is about no erasure. */
        public SweepNow(CommandRequest request, long pointMs, @Nullable PolicyEdition awaited) {
            this(request, pointMs, false, null, awaited);
        }

        public SweepNow {
            Command command = request.command();
            if (!(command instanceof Command.OfPartitions) && request.plan() == null) {
                throw new IllegalArgumentException(command.verb() + " is no sweep and not about records that wait");
            }
            requireAtLeast(0, "the sweep point", pointMs);
        }
    }

    /** Progress of an undo: how much it has brought back so far. */
    public record Returning(Undone undo) {

        public Returning {
            Objects.requireNonNull(undo, "undo is missing");
        }
    }

    /**
     * Question of how much a change of policies would delete at once or soon (O-8, T-15); the answer is a {@code BrakeFinding}.
     *
     * @param limit the largest number of events that a partition counts
     * @param horizonMs the time for which the partition looks ahead
     * @param reflectedOffset the answer is for policies that reflect their topic up to that offset
     * @param lateChanges the answer is for policies that reflect so many changes behind newer ones
     * @param changes the whole change
     */
    public record Assess(
            long limit,
            long horizonMs,
            @JsonProperty(REFLECTED) long reflectedOffset,
            long lateChanges,
            List<PolicyRecord> changes) {

        public Assess {
            requireAtLeast(0, "the limit", limit);
            requireAtLeast(0, "the horizon", horizonMs);
            changes.forEach(change -> Objects.requireNonNull(change, "a change is missing"));
        }
    }

    /**
     * Settings of the instance of a partition that decide deletes (T-13).
     *
     * @param settings the settings as text
     */
    public record Configured(String settings) {}

    /**
     * Report of a partition whose clock is far ahead of its state (T-14).
     *
     * @param seenMs the newest time that its state has seen, epoch milliseconds
     * @param nowMs the time by its clock
     * @param wouldDelete number of events that this time would take for good
     * @param stored number of events of which that is a part
     */
    public record ClockAhead(long seenMs, long nowMs, long wouldDelete, long stored) {

        public ClockAhead {
            requireAtLeast(0, "the time", Math.min(seenMs, nowMs));
            requireAtLeast(0, "the count", Math.min(wouldDelete, stored));
        }
    }

    /**
     * The first record of a partition of a log that must stay (F-8).
     *
     * @param offset the offset of the record
     * @param why the reason, for people
     */
    public record FirstHeld(long offset, String why) {}

    /**
     * The first records of a log that must stay, as one partition of the events knows them.
     *
     * @param source the name of the source
     * @param holds the record of each partition of its topic
     */
    public record LogHeld(String source, Map<Integer, FirstHeld> holds) {

        public LogHeld {
            holds = Snapshot.of(holds);
        }
    }

    /**
     * A start of a partition of a log that is about to move.
     *
     * @param source the name of the source
     * @param from the present start
     * @param to the new start, before which all records go
     * @param why the reason for which the record there stays
     */
    public record LogRaised(String source, String topic, int partition, long from, long to, String why) {

        public LogRaised {
            requireAtLeast(0, "the start", from);
            requireAtLeast(from, "the new start", to);
        }

        /** Returns the words of the audit. */
        public String text() {
            return "the start of " + topic + "-" + partition + " moves from " + from + " to " + to
                    + "; what stays there: " + why;
        }
    }

    /**
     * A reset of a source that is about to be done (F-10).
     *
     * @param source the name of the source
     * @param to the place, as the person named it
     * @param offsets the offsets before and after, for people
     * @param actor the person
     * @param reason the reason that the person gave; may be empty
     */
    public record SourceReset(String source, String to, String offsets, String actor, String reason) {

        /** Returns the words of the audit. */
        public String text() {
            return "read from " + to + ": " + offsets + (reason.isEmpty() ? "" : "; " + reason);
        }
    }

    /**
     * Call of a partition to new policies.
     *
     * @param reflectedOffset these policies reflect their topic up to that offset
     */
    public record Follow(@JsonProperty(REFLECTED) long reflectedOffset) {}

    /**
     * Record of the topic of policies.
     *
     * @param value the value; null removes the policy or hold
     */
    public @SuppressWarnings("ArrayRecordComponent") // never compared
    record PolicyRecord(String key, byte @Nullable [] value) {

        /** @throws IllegalArgumentException if the key is neither that of a policy nor that of a hold */
        public PolicyRecord {
            PolicyKey.parse(key);
        }
    }

    /**
     * Result of a {@link SweepNow}, or of its dry run.
     *
     * @param outcome what the partition has done
     * @param plan tally of the events that it has listed, or of its plan; null if there is none
     * @param erased findings of an erasure; null for any other command
     * @param isCount true for the count of an erasure, which erases nothing
     * @param brake events that the brake counts for a file of policies or an erasure; null for any other command
     */
    public record Swept(
            Outcome outcome,
            @Nullable Refusal refusal,
            String detail,
            @Nullable PlanTally plan,
            @Nullable EraseFindings erased,
            boolean isCount,
            @Nullable BrakeFinding brake) {

        /** Makes the result of work that is no erasure. */
        public Swept(Outcome outcome, @Nullable Refusal refusal, String detail, @Nullable PlanTally plan) {
            this(outcome, refusal, detail, plan, null, false, null);
        }

        /** Returns the result of work that has no plan or has come to nothing. */
        public static Swept without(Outcome outcome, @Nullable Refusal refusal, String detail) {
            return new Swept(outcome, refusal, detail, null);
        }

        /** Returns the count of an erasure. */
        public static Swept ofCount(BrakeFinding brake) {
            return new Swept(Outcome.nothing(), null, "", null, null, true, brake);
        }

        /** Returns this result with the events that the brake counts; null if it counts none. */
        public Swept braked(@Nullable BrakeFinding finding) {
            return new Swept(outcome, refusal, detail, plan, erased, isCount, finding);
        }

        public Swept {
            Objects.requireNonNull(outcome, "outcome is missing");
            Objects.requireNonNull(detail, "detail is missing");
            if (outcome instanceof Outcome.Swept sweep) {
                requireNames(
                        sweep.parts().biggest().stream()
                                .map(Outcome.Part::stream)
                                .toList(),
                        Outcome.Parts.MAX);
            }
        }
    }
}
