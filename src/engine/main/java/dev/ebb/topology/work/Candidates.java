package dev.ebb.topology.work;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StreamWalk;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.wire.RecordLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Search for the streams of one partition that match the filter of a command, a page at a time. A search finds more
 * than one page, so that not every page costs a look at all streams; candidates beyond the page are kept for one
 * command at a time, in memory only. Not thread-safe.
 */
public final class Candidates {

    /** Largest number of candidates that one search finds, or the size of the page if that is larger. */
    private static final int FOUND_AT_ONCE = 10_000;

    /** Bytes of a candidate as JSON, without its name. */
    private static final int CANDIDATE_BYTES = 50;

    /** Bytes as JSON of the verdict on its ancestors, settled by an ancestor with the longest possible name. */
    private static final int VERDICT_BYTES = 600;

    private final CommandContext context;
    private final OpenSearches searches;
    private final int foundAtOnce;
    private @Nullable OtherCandidates rest;

    public Candidates(CommandContext context, OpenSearches searches) {
        this(context, searches, FOUND_AT_ONCE);
    }

    public Candidates(CommandContext context, OpenSearches searches, int foundAtOnce) {
        this.context = context;
        this.searches = searches;
        this.foundAtOnce = foundAtOnce;
    }

    /**
     * Candidates that a search has found beyond its page.
     *
     * @param last the last candidate of the page
     * @param candidates the streams that follow, at least one, the oldest completion first
     * @param isLast true if no more follow after these
     */
    private record OtherCandidates(String commandId, Candidate last, List<Candidate> candidates, boolean isLast) {

        boolean answers(Gather question) {
            return commandId.equals(question.request().commandId()) && last.equals(question.after());
        }
    }

    /** Largest number of missing streams that are named; the others are only counted. */
    public static final int MOST_NAMED = 10;

    /** Begins the search for the next candidates; that for the first ones begins a pass of the command. */
    public Search search(Gather question, long nowMs) {
        if (question.after() == null) {
            searches.begin(question.request().commandId(), nowMs);
        }
        OtherCandidates known = rest;
        rest = null;
        return known != null && known.answers(question)
                ? new Search(question, known.candidates(), known.isLast())
                : new Search(question, context.store().walk());
    }

    /** Returns the size of a candidate as JSON with the verdict on its ancestors, in bytes. */
    private int bytes(Candidate candidate) {
        int name = RecordLimits.jsonBytes(candidate.stream());
        StreamState stream = context.store().stream(new StreamName(candidate.stream()));
        StreamName parent = stream == null ? null : stream.parent();
        return CANDIDATE_BYTES
                + name
                + (parent == null ? 0 : VERDICT_BYTES + name + RecordLimits.jsonBytes(parent.value()));
    }

    /** Search through all streams, in slices; never keeps more candidates than it may find. */
    public final class Search {

        private final Gather question;
        private final StreamMatch match;
        private final @Nullable Set<StreamName> named;
        private final @Nullable StreamWalk walk;
        private final PriorityQueue<Candidate> oldest = new PriorityQueue<>(Collections.reverseOrder());
        private final int most;
        private final TreeSet<String> missing = new TreeSet<>();
        private Deleted skipped = Deleted.NOTHING;
        private boolean isMore;
        private boolean isWaiting;
        private @Nullable StreamState current;

        /** Makes a search that has already found these candidates. */
        private Search(Gather question, List<Candidate> found, boolean isLast) {
            this(question, null);
            oldest.addAll(found);
            isMore = !isLast;
        }

        private Search(Gather question, @Nullable StreamWalk walk) {
            this.question = question;
            StreamFilter filter = ((Command.OfStreams) question.request().command()).filter();
            this.match = new StreamMatch(context.store(), filter);
            this.named = filter.streams() == null ? null : new HashSet<>(filter.streams());
            this.walk = walk;
            this.most = Math.max(question.limit(), foundAtOnce);
        }

        /** Continues as far as the budget goes; returns true if all streams have been looked at. */
        public boolean run(long nowMs, SweepBudget budget) {
            if (walk == null) {
                return true;
            }
            isWaiting = false;
            StreamState stream = current == null ? walk.next() : current;
            for (; stream != null; stream = walk.next()) {
                current = stream;
                if (budget.isSpent() || !lookAt(stream, nowMs, budget)) {
                    return false;
                }
                budget.spendStep();
            }
            current = null;
            skipMissing();
            return true;
        }

        /** Counts as skipped the streams that the command names and that would be here, but do not exist. */
        private void skipMissing() {
            boolean isPurge = question.request().command() instanceof Command.PurgeStreams;
            if (named == null || question.after() != null || !isPurge) {
                return;
            }
            for (StreamName name : named) {
                boolean isHere = context.partitionOf(name) == context.partition();
                if (isHere && match.isInNamespace(name) && context.store().stream(name) == null) {
                    skip(Refusal.NOT_FOUND);
                    missing.add(name.value());
                }
            }
            while (missing.size() > MOST_NAMED) {
                missing.pollLast();
            }
        }

        /** Returns true if the recount of a stream ended the last run, not the budget. */
        public boolean isWaiting() {
            return isWaiting;
        }

        /** Returns the oldest candidates found, as the answer; the others are kept for the next question. */
        public Gathered answer() {
            List<Candidate> found = new ArrayList<>(oldest);
            Collections.sort(found);
            int size = pageOf(found);
            List<Candidate> page = List.copyOf(found.subList(0, size));
            List<Candidate> others = List.copyOf(found.subList(size, found.size()));
            if (!others.isEmpty()) {
                rest = new OtherCandidates(question.request().commandId(), page.get(size - 1), others, !isMore);
            }
            return new Gathered(page, skipped, others.isEmpty() && !isMore, List.copyOf(missing));
        }

        /** Returns the size of a page: at least one candidate, and no more than fit into a record with the command. */
        private int pageOf(List<Candidate> found) {
            int most = Math.min(found.size(), question.limit());
            long left = context.outbox().limits().listBytes() / context.partitions();
            int size = 0;
            while (size < most) {
                left -= bytes(found.get(size));
                if (left < 0 && size > 0) {
                    break;
                }
                size++;
            }
            return size;
        }

        private boolean lookAt(StreamState stream, long nowMs, SweepBudget budget) {
            return context.guard().call(stream, nowMs, () -> look(stream, budget), reason -> {
                skip(Refusal.FAILED);
                return true;
            });
        }

        /** Looks at the stream; returns false if the budget ended the look, or a count or a sorting must come first. */
        private boolean look(StreamState stream, SweepBudget budget) {
            if (!mayMatch(stream)) {
                return true;
            }
            if (stream.quarantine() != null) {
                skip(Refusal.NOT_READY);
                return true;
            }
            if (StreamRefusals.isUncertain(stream)) {
                isWaiting = true;
                return false;
            }
            if (!context.store().findCompletion(stream, budget)) {
                return false;
            }
            if (match.matches(stream)) {
                take(stream);
            }
            return true;
        }

        private boolean mayMatch(StreamState stream) {
            boolean isThere = context.store().stream(stream.stream()) == stream;
            return isThere
                    && searches.mayFind(question.request().commandId(), stream)
                    && (named == null || named.contains(stream.stream()))
                    && match.isInNamespace(stream.stream());
        }

        /** Counts a skipped stream, with the first page only. */
        private void skip(Refusal refusal) {
            skipped = question.after() == null ? skipped.plus(Deleted.skipped(refusal)) : skipped;
        }

        private void take(StreamState stream) {
            Refusal refusal = StreamRefusals.of(stream, question.request().command(), context);
            Candidate after = question.after();
            Candidate candidate =
                    new Candidate(stream.stream().value(), context.store().completionMs(stream));
            if (refusal != null) {
                skip(refusal);
            } else if (after == null || candidate.compareTo(after) > 0) {
                oldest.add(candidate);
                if (oldest.size() > most) {
                    oldest.poll();
                    isMore = true;
                }
            }
        }
    }
}
