package dev.ebb.topology.gate;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.gate.Assessments.Change;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes that the brake asks about together: one of any kind, or several with no stream in common, which together
 * delete the sum of what each would delete. Not thread-safe.
 */
public final class BrakeBatch {

    /** Bytes of the numbers and brackets of one question. */
    private static final int QUESTION_OVERHEAD = 256;

    private final Assessments assessments;
    private final int most;
    private final List<HeldBack> changes = new ArrayList<>();
    private final Set<String> namespaces = new HashSet<>();
    private final Set<String> streams = new HashSet<>();
    private final Set<String> namespacesOfStreams = new HashSet<>();

    private long bytes = QUESTION_OVERHEAD;

    /** @param most largest number of changes in the batch, at least 1 */
    BrakeBatch(Assessments assessments, int most) {
        this.assessments = assessments;
        this.most = most;
    }

    /** Adds the change; returns false if the change must be asked about separately. */
    boolean add(HeldBack change) {
        Scope scope = scopeOf(change);
        long more = ChangeSize.questionBytes(assessments, change);
        boolean isWithOthers = scope != null && most > 1 && hasRoom(more) && !overlaps(scope);
        if (!changes.isEmpty() && !isWithOthers) {
            return false;
        }
        changes.add(change);
        bytes += more;
        if (scope != null) {
            noteScope(scope);
        }
        return true;
    }

    private boolean hasRoom(long more) {
        // If the first change cannot be joined by others, it has left no scope here.
        boolean isJoinable = changes.size() == namespaces.size() + streams.size();
        return isJoinable && changes.size() < most && bytes + more <= assessments.maxBytes();
    }

    private boolean overlaps(Scope scope) {
        if (scope.kind() == Scope.Kind.NAMESPACE) {
            return namespaces.contains(scope.name()) || namespacesOfStreams.contains(scope.name());
        }
        return streams.contains(scope.name()) || namespaces.contains(namespaceOf(scope));
    }

    private void noteScope(Scope scope) {
        if (scope.kind() == Scope.Kind.NAMESPACE) {
            namespaces.add(scope.name());
        } else {
            streams.add(scope.name());
            namespacesOfStreams.add(namespaceOf(scope));
        }
    }

    private static String namespaceOf(Scope stream) {
        return new StreamName(stream.name()).namespace();
    }

    /** Returns the stream or namespace that the change concerns; null if it concerns more. */
    private static @Nullable Scope scopeOf(HeldBack change) {
        if (change.records().size() != 1) {
            return null;
        }
        Scope scope = change.records().get(0).policyKey().scope();
        boolean isNarrow = scope != null && (scope.kind() == Scope.Kind.STREAM || scope.kind() == Scope.Kind.NAMESPACE);
        return isNarrow ? scope : null;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns the versions of the changes, in their order. */
    Set<Long> versions() {
        return changes.stream().map(HeldBack::version).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the question about these changes. */
    public static List<Change> question(List<HeldBack> changes) {
        return changes.stream()
                .flatMap(change -> ChangeSize.changes(change).stream())
                .toList();
    }
}
