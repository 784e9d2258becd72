package dev.ebb.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.port.SourceDesk;
import dev.ebb.port.SourceDesk.Reading.State;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source in force.
 *
 * @param name the name of the source
 * @param topic the topic that it reads
 * @param as {@code table} or {@code log}
 * @param stream the template of the streams of its events
 * @param keep the part of a record that is stored
 * @param target the consequence of a removal for the topic
 * @param mode the mode of the namespace of its events: {@code warn} until a policy says {@code enforce}; {@code by
 *     namespace} if its records name the namespace
 * @param reading how it is read
 * @param declaration its fields as they are written in a file, without those that have their usual value
 */
public record SourceView(
        String name,
        String topic,
        String as,
        String stream,
        String keep,
        String target,
        String mode,
        Reading reading,
        JsonNode declaration) {

    /** Lists the sources in force. */
    public static final Read<Read.All, All> LIST = new Read<>(
            "/v1/sources",
            "Lists the sources in force: how they are read, their faults and targets, and whether sweeps delete.",
            Read.All.class,
            All.class);

    /** Shows one source. */
    public static final Read<OfName, SourceView> SHOW =
            new Read<>("/v1/sources/{name}", "Shows a source with its declaration.", OfName.class, SourceView.class);

    /** The name of a source. */
    public record OfName(
            @Parameter("The name of the source.") String name) {}

    /** All sources in force, and the version of the policies in force. */
    public record All(long version, List<SourceView> sources) {}

    /**
     * How a source is read.
     *
     * @param state {@code reading}; {@code behind} while the end of the topic is not reached, so that sweeps leave rows
     *     with tombstones alone; {@code pausing} until the last instance has stopped reading a paused source, and {@code paused} from then on;
     *     {@code stopped} if the topic cannot be read; {@code unknown} after a start
     * @param lag number of offsets up to the ends of the topic; null if not known
     * @param perSecond offsets read per second lately; null if not known
     * @param rejected records set aside since the starts of the instances
     * @param overtaken records that were sent again since then, because a tombstone had overtaken them
     * @param problem the reason why the topic is not read, or takes no tombstones; null if there is none
     * @param lastFault the last fault of a record or the topic, with its place and never with a value; null if there was none
     * @param lastFaultAt the time at which it was found; null if there was none
     * @param starts the starts of the partitions of a log with the target truncate; empty before the first look
     */
    public record Reading(
            String state,
            @Nullable Long lag,
            @Nullable Long perSecond,
            long rejected,
            long overtaken,
            @Nullable String problem,
            @Nullable String lastFault,
            @Nullable Instant lastFaultAt,
            List<Start> starts) {

        private static Reading of(SourceDesk.Reading reading) {
            return new Reading(
                    reading.state().text(),
                    reading.lag(),
                    reading.perSecond(),
                    reading.counts().rejected(),
                    reading.counts().overtaken(),
                    reading.problem(),
                    reading.counts().lastFault(),
                    reading.counts().lastFaultAt(),
                    reading.starts().stream().map(Start::of).toList());
        }

        /** Returns true if the last fault of the other instance is the later one. */
        private boolean isLater(Reading other) {
            if (lastFaultAt == null || other.lastFaultAt == null) {
                return lastFault == null;
            }
            return other.lastFaultAt.isAfter(lastFaultAt);
        }

        private Reading with(Reading other) {
            return new Reading(
                    State.of(state).with(State.of(other.state)).text(),
                    lag,
                    perSecond,
                    rejected + other.rejected,
                    overtaken + other.overtaken,
                    problem == null ? other.problem : problem,
                    isLater(other) ? other.lastFault : lastFault,
                    isLater(other) ? other.lastFaultAt : lastFaultAt,
                    starts.isEmpty() ? other.starts : starts);
        }
    }

    /**
     * The start of a partition of a log.
     *
     * @param start the first offset of the partition
     * @param next the first offset that must stay; the start moves there, unless the mode is {@code warn}
     * @param heldBy the reason for which the record at {@code next} stays
     */
    public record Start(int partition, long start, long next, String heldBy) {

        private static Start of(SourceDesk.Start start) {
            return new Start(start.partition(), start.start(), start.next(), start.heldBy());
        }
    }

    /**
     * The places from which a source is read on.
     *
     * @param name the source
     * @param offsets the offset of each partition of its topic
     */
    public record Moved(String name, Map<Integer, Long> offsets) {}

    static SourceView of(Source source, PolicySet policies, SourceDesk.Reading reading) {
        return new SourceView(
                source.name(),
                source.topic(),
                source.form().text(),
                source.fields().stream().toString(),
                source.keep().text(),
                source.target().toString(),
                mode(source, policies),
                Reading.of(reading),
                SourceJson.write(source));
    }

    /** Returns the view with the counts of another instance too. */
    SourceView with(SourceView other) {
        return new SourceView(name, topic, as, stream, keep, target, mode, reading.with(other.reading), declaration);
    }

    private static String mode(Source source, PolicySet policies) {
        String namespace = source.namespace();
        return namespace == null
                ? "by namespace"
                : policies.effectiveIn(namespace).get(PolicyField.MODE).value().text();
    }
}
