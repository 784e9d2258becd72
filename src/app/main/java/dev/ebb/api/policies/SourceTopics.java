package dev.ebb.api.policies;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.port.SourceDesk;
import dev.ebb.wire.ProblemView.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * Topics of the sources of a file that are not as the sources need them.
 *
 * @param refusals sources that do not work, such as tombstones on a topic without {@code compact} (F-6)
 * @param warnings topics that are not there yet, and logs whose records will go
 */
record SourceTopics(List<Fault> refusals, List<Fault> warnings) {

    /** Asks about the topics of these sources. */
    static SourceTopics of(List<Source> sources, SourceDesk desk) {
        List<Fault> refusals = new ArrayList<>();
        List<Fault> warnings = new ArrayList<>();
        for (Source source : sources) {
            SourceDesk.Topics topics = desk.topics(source);
            String key = PolicyKey.ofSource(source.name()).toString();
            if (topics.absence() != null) {
                warnings.add(new Fault(key + ", topic", topics.absence() + " yet; Ebb reads it when it is there"));
            } else if (topics.refusal() != null) {
                refusals.add(new Fault(key + ", " + topics.field(), topics.refusal()));
            }
            if (source.target().kind() == SourceTarget.Kind.TRUNCATE) {
                warnings.add(new Fault(
                        key + ", target",
                        "under mode: enforce, all records of topic " + source.topic()
                                + " before the oldest one that must stay go for good, also those whose events were"
                                + " deleted before; no undo brings a record back"));
            }
        }
        return new SourceTopics(refusals, warnings);
    }
}
