package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.StreamState;
import dev.ebb.topology.ErrandBodies.Candidate;
import dev.ebb.topology.ErrandBodies.Gather;
import dev.ebb.topology.ErrandBodies.Gathered;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the streams of one partition that match the filter of a command, a page at a time. Not thread-safe. */
final class Candidates {

    private final CommandContext context;

    Candidates(CommandContext context) {
        this.context = context;
    }

    /** The next candidates, the oldest completion first; no more than the question asks for are ever kept. */
    Gathered find(Gather question) {
        CommandRequest request = question.request();
        StreamFilter filter = filter(request);
        Set<StreamName> named = filter.streams() == null ? null : new HashSet<>(filter.streams());
        PolicySet policies = context.policies().get();
        PriorityQueue<Candidate> oldest = new PriorityQueue<>(Collections.reverseOrder());
        CommandCounts skipped = CommandCounts.NOTHING;
        boolean isMore = false;
        for (StreamState stream : context.store().streams()) {
            Candidate candidate = candidate(stream, filter, named);
            Candidate after = question.after();
            if (candidate == null) {
                continue;
            }
            Refusal refusal = StreamRefusals.of(stream, request.command(), policies);
            if (refusal != null) {
                skipped = after == null ? skipped.plus(CommandCounts.skipped(refusal)) : skipped;
            } else if (after == null || candidate.compareTo(after) > 0) {
                oldest.add(candidate);
                if (oldest.size() > question.limit()) {
                    oldest.poll();
                    isMore = true;
                }
            }
        }
        List<Candidate> page = new ArrayList<>(oldest);
        Collections.sort(page);
        return new Gathered(page, skipped, !isMore);
    }

    /** Whether the stream, which is one of those that the command names if it names any, still matches its filter. */
    boolean matches(StreamState stream, CommandRequest request) {
        return candidate(stream, filter(request), null) != null;
    }

    private static StreamFilter filter(CommandRequest request) {
        return ((Command.OfStreams) request.command()).filter();
    }

    private @Nullable Candidate candidate(StreamState stream, StreamFilter filter, @Nullable Set<StreamName> named) {
        StreamName name = stream.stream();
        boolean isNamed = named == null || named.contains(name);
        boolean isInNamespace = filter.namespace() == null || filter.namespace().equals(name.namespace());
        if (!isNamed || !isInNamespace) {
            return null;
        }
        long completedMs = context.store().completionMs(stream);
        Long before = filter.completedBeforeMs();
        boolean isOldEnough = before == null || (completedMs >= 0 && completedMs < before);
        return isOldEnough ? new Candidate(name.value(), completedMs) : null;
    }
}
