package dev.ebb.topology;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.Refusal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes with the steps of an errand. */
final class ErrandBodies {

    private ErrandBodies() {}

    /**
     * Asks an ancestor, or brings the answer back (O-12).
     *
     * @param stream who is asked; in an answer whoever settled it
     * @param child the stream whose parents are asked for
     * @param parent the parent that the child named when it asked
     * @param partition the partition of the child
     * @param visited every name on the way, the child first
     * @param refusal in an answer, why the child must stay; null if nothing keeps it
     */
    record ParentQuestion(
            String stream,
            String child,
            String parent,
            int partition,
            List<String> visited,
            @Nullable Refusal refusal) {}

    /**
     * Asks for streams that match the filter of a command.
     *
     * @param request the command
     * @param after only candidates behind this one; null from the first on
     * @param limit how many at the most
     */
    record Gather(CommandRequest request, @Nullable Candidate after, int limit) {}

    /**
     * Streams that match, the oldest completion first, then by name.
     *
     * @param skipped streams that match but for being open or held; counted with the first page alone
     * @param isLast whether no more follow
     */
    record Gathered(List<Candidate> candidates, CommandCounts skipped, boolean isLast) {}

    /**
     * A stream that matches.
     *
     * @param completedMs its completion, epoch milliseconds; -1 if nothing of it was ever completed
     */
    record Candidate(String stream, long completedMs) implements Comparable<Candidate> {

        @Override
        public int compareTo(Candidate other) {
            int byTime = Long.compare(completedMs, other.completedMs);
            return byTime != 0 ? byTime : stream.compareTo(other.stream);
        }
    }

    /**
     * Carries a command out on some streams.
     *
     * @param request the command
     * @param isDryRun whether to count only, whatever the command says
     * @param round tells the rounds of one command apart
     */
    record CarryOut(CommandRequest request, List<String> streams, boolean isDryRun, int round) {}

    /** What that did; {@code round} as in the question. */
    record CarriedOut(CommandCounts counts, int round) {}

    /**
     * Sweeps now.
     *
     * @param request the command
     * @param pointMs the time against which everything is decided
     */
    record SweepNow(CommandRequest request, long pointMs) {}

    /**
     * Asks how much a change of policies would delete at once (O-8); the answer is a {@code BrakeFinding}.
     *
     * @param limit how many events a partition counts at most
     * @param sourceOffset the answer is meant for policies that are at least as new as that offset of their topic
     * @param changes the change, all of it together
     */
    record Assess(long limit, long sourceOffset, List<PolicyRecord> changes) {

        /** Whether it asks the same under the same policies. */
        boolean isSameAs(Assess other) {
            return limit == other.limit && sourceOffset == other.sourceOffset && texts().equals(other.texts());
        }

        private List<String> texts() {
            return changes.stream()
                    .map(change -> change.key() + Arrays.toString(change.value()))
                    .toList();
        }
    }

    /**
     * Calls a partition to new policies.
     *
     * @param sourceOffset they are at least as new as that offset of their topic
     */
    record Follow(long sourceOffset) {}

    /**
     * A record of the topic of policies.
     *
     * @param value null removes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PolicyRecord(String key, byte @Nullable [] value) {}

    /**
     * What that did, or would do.
     *
     * @param parts the biggest by stream and cause
     * @param partsLeftOut how many are not among them
     */
    record Swept(
            CommandCounts counts,
            List<Part> parts,
            long partsLeftOut,
            long policyVersion,
            @Nullable Refusal refusal,
            String detail) {}
}
