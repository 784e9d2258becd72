package dev.ebb.domain.erase;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Topics of other applications in which bytes of erased events may remain (F-9). All times are counted from the end of
 * the erasure. Stateless.
 */
public final class SourcePlaces {

    private SourcePlaces() {}

    /** Returns the topics of the sources, and those of their tombstones. */
    public static Set<String> topics(Collection<Source> sources) {
        Set<String> topics = new TreeSet<>();
        for (Source source : sources) {
            topics.add(source.topic());
            if (source.target().kind() == SourceTarget.Kind.TOPIC) {
                topics.add(source.target().topic());
            }
        }
        return topics;
    }

    /** Returns the sources whose records an erasure may have had, if it was limited to that namespace; all if it is empty. */
    public static List<Source> sources(Collection<Source> all, String namespace) {
        return all.stream()
                .filter(source -> namespace.isEmpty() || source.mayLeadInto(namespace))
                .toList();
    }

    /**
     * Returns the places, bounded by the settings of the topics.
     *
     * @param settings the settings in the broker, by topic
     * @param missing topics that do not exist, and so are no places
     * @param erasedMs the time at which the erasure ended, epoch milliseconds
     */
    public static List<RemainingPlace> of(
            Collection<Source> sources, Map<String, TopicSettings> settings, Set<String> missing, long erasedMs) {
        List<RemainingPlace> places = new ArrayList<>();
        List<Source> ordered =
                sources.stream().sorted(Comparator.comparing(Source::name)).toList();
        for (Source source : ordered) {
            String other = source.target().topic();
            if (!missing.contains(source.topic())) {
                places.add(ofRecords(source, settings.get(source.topic()), erasedMs));
            }
            if (!other.isEmpty() && !missing.contains(other)) {
                String keys = "keys of rows of source '" + source.name() + "'";
                TopicSettings known = settings.get(other);
                places.add(known == null ? unknown(other, keys) : known.place(other, keys, erasedMs));
            }
        }
        return places;
    }

    private static RemainingPlace ofRecords(Source source, @Nullable TopicSettings known, long erasedMs) {
        String name = "source '" + source.name() + "'";
        String topic = source.topic();
        boolean isDeletedThere = source.target().kind() == SourceTarget.Kind.SAME;
        String content =
                isDeletedThere ? "rows of " + name : "records of " + name + ", to which Ebb sends no tombstones";
        if (known == null) {
            return unknown(topic, content);
        }
        return isDeletedThere ? known.place(topic, content, erasedMs) : known.placeByAge(topic, content, erasedMs);
    }

    private static RemainingPlace unknown(String topic, String content) {
        return new RemainingPlace(
                topic,
                content,
                null,
                "not known: Ebb may not read the settings of the topic; allow DescribeConfigs on it");
    }
}
