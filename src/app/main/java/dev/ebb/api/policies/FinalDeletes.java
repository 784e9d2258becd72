package dev.ebb.api.policies;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.wire.ProblemView.Fault;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Words before deletes that no undo can bring back (F-9): the bytes of a row are on its topic alone, and a tombstone
 * removes them there. Stateless.
 */
final class FinalDeletes {

    private FinalDeletes() {}

    /** Returns a warning for each source whose deletes become final with the change, or begin with it. */
    static List<Fault> warnings(PolicySet before, PolicySet after) {
        return after.sources()
                .all()
                .filter(source -> isFinal(source) && isNew(source, before, after))
                .sorted(Comparator.comparing(Source::name))
                .map(source -> new Fault(
                        PolicyKey.ofSource(source.name()) + ", keep",
                        "no undo can bring back a deleted " + (source.isTable() ? "row" : "event")
                                + ", since its bytes are on topic " + source.topic()
                                + " alone and go from there; with keep: payload, an undo "
                                + (source.isTable()
                                        ? "sends the row again"
                                        : "brings back the event, and not the record")))
                .toList();
    }

    private static boolean isFinal(Source source) {
        return source.target().kind() != SourceTarget.Kind.NONE && source.keep() == Source.Keep.REFERENCE;
    }

    private static boolean isNew(Source source, PolicySet before, PolicySet after) {
        Source former = before.sources().get(source.name());
        return former == null
                || !isFinal(former)
                || !Objects.equals(former.namespace(), source.namespace())
                || (after.effectiveIn(source.namespace()).isEnforced()
                        && !before.effectiveIn(source.namespace()).isEnforced());
    }
}
