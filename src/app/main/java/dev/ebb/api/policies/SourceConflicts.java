package dev.ebb.api.policies;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.wire.ProblemView.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sources of a file that do not fit to those in force, or to one another; the gate refuses them too. Stateless. */
final class SourceConflicts {

    private SourceConflicts() {}

    /** Returns the faults of a file with these sources. */
    static List<Fault> faults(List<Source> declared, PolicySet current) {
        Map<String, Source> all = new TreeMap<>();
        current.sources().all().forEach(source -> all.put(source.name(), source));
        declared.forEach(source -> all.put(source.name(), source));
        List<Fault> faults = new ArrayList<>();
        if (!declared.isEmpty() && all.size() > Source.MAX_SOURCES) {
            faults.add(new Fault(
                    "sources", "there would be " + all.size() + ", at most " + Source.MAX_SOURCES + " are allowed"));
        }
        for (Source source : declared) {
            String clash = clash(source, all.values());
            if (clash != null) {
                faults.add(new Fault(PolicyKey.ofSource(source.name()) + ", stream", clash));
            }
        }
        return faults;
    }

    private static @Nullable String clash(Source source, Collection<Source> all) {
        for (Source other : all) {
            String clash = other.name().equals(source.name()) ? null : source.clashWith(other);
            if (clash != null) {
                return clash;
            }
        }
        return null;
    }
}
