package dev.ebb.api.policies;

import dev.ebb.domain.policy.Mirroring;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.wire.ProblemView.Fault;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Consequences of a change beside the deletes that it makes due, in words. Stateless. */
final class Consequences {

    private Consequences() {}

    /** Returns a warning for each consequence that the change brings. */
    static List<Fault> warnings(PolicySet before, PolicySet after) {
        return Stream.of(targets(before, after), finalDeletes(before, after), lostRows(before, after))
                .flatMap(List::stream)
                .toList();
    }

    /** A target that comes into force reaches what is due already, too (F-9). */
    private static List<Fault> targets(PolicySet before, PolicySet after) {
        return after.sources()
                .sendingMoreThan(before.sources())
                .sorted(Comparator.comparing(Source::name))
                .map(source -> new Fault(PolicyKey.ofSource(source.name()) + ", target", consequence(source)))
                .toList();
    }

    private static String consequence(Source source) {
        if (source.target().kind() == SourceTarget.Kind.TRUNCATE) {
            return "the start of topic " + source.topic()
                    + " moves up to its oldest record that must stay; 'ebb source list' shows it, and moves none in"
                    + " mode warn";
        }
        return "each delete of its events sends a tombstone to topic " + source.tombstoneTopic()
                + "; 'ebb policy plan' counts them";
    }

    /** With {@code mirror: none}, rows go from SQL while their events stay (F-13). */
    private static List<Fault> lostRows(PolicySet before, PolicySet after) {
        return after.policies().keySet().stream()
                .filter(scope -> takesRows(after, scope) && !takesRows(before, scope))
                .sorted()
                .map(scope -> new Fault(
                        PolicyKey.of(scope) + ", mirror",
                        "the rows of its events go from SQL, and the events stay; 'ebb policy plan' counts them"))
                .toList();
    }

    private static boolean takesRows(PolicySet policies, Scope scope) {
        VersionedPolicy policy = policies.policies().get(scope);
        return policy != null
                && policy.policy().isEnabled()
                && policy.policy().get(PolicyField.MIRROR) == Mirroring.NONE;
    }

    /**
     * No undo can bring back what goes from its topic (F-9): the bytes of a row are there alone, and a tombstone removes
     * them. A warning for each source whose deletes become final with the change, or begin with it.
     */
    private static List<Fault> finalDeletes(PolicySet before, PolicySet after) {
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
