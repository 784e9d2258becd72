package dev.ebb.plan;

import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.Source;
import dev.ebb.plan.PolicyPlanView.TombstonesView;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The deletes of a plan that go on to the topics of sources, one tombstone each (F-6). */
public final class PlannedTombstones {

    private PlannedTombstones() {}

    /**
     * Returns the tombstones by source, in the order of the names; only sources that would send some.
     *
     * @param sources the sources that are in force with the file
     */
    static List<TombstonesView> of(Outcome.Swept plan, Collection<Source> sources) {
        return sources.stream()
                .filter(source -> source.target().hasTombstones())
                .sorted(Comparator.comparing(Source::name))
                .map(source -> new TombstonesView(source.name(), source.tombstoneTopic(), events(plan, source)))
                .filter(one -> one.atMost() > 0)
                .toList();
    }

    private static long events(Outcome.Swept plan, Source source) {
        long listed = plan.parts().biggest().stream()
                .filter(part -> source.mayHave(new StreamName(part.stream())))
                .mapToLong(Outcome.Part::events)
                .sum();
        long others = plan.parts().rest().stream()
                .filter(rest -> source.mayLeadInto(rest.namespace()))
                .mapToLong(Outcome.Rest::events)
                .sum();
        return listed + others;
    }

    /** Returns the tombstones as a part of a sentence behind a semicolon; empty if there are none. */
    public static String afterOthers(List<TombstonesView> tombstones) {
        return tombstones.stream()
                .map(one -> "; up to " + Texts.counted(one.atMost(), "tombstone") + " would go to topic " + one.topic())
                .collect(Collectors.joining());
    }
}
