package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.SourceDesk;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/**
 * Answers about sources from Kafka and from the reading of this instance.
 *
 * @param admin asks Kafka
 * @param runtime reads the sources
 */
public record KafkaSourceDesk(EbbConfig config, Admin admin, SourceRuntime runtime) implements SourceDesk {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final long PAUSE_MS = 250;

    @Override
    public Topics topics(Source source) {
        String own = SourceTopic.ownTopic(config, source);
        if (own != null) {
            return Topics.refused(TopicPlan.isOwn(config, source.topic()) ? "topic" : "target", own);
        }
        String missing = runtime.problemOfFormats(source);
        if (missing != null) {
            return Topics.refused("value", missing);
        }
        SourceTopic topic = asked(() -> SourceTopic.of(config, admin, source));
        String problem = topic.problemOfTarget();
        if (topic.problem() != null || problem == null) {
            return new Topics(topic.problem(), null, null);
        }
        return Topics.refused("target", problem);
    }

    @Override
    public SourceDesk.Reading reading(Source source) {
        return runtime.reading(source);
    }

    @Override
    public Map<Integer, Long> reset(Source source, SourceStart to, String actor, String reason) {
        SourceTopic topic = asked(() -> SourceTopic.of(config, admin, source));
        if (topic.problem() != null) {
            throw new NotReadyException(topic.problem(), RETRY);
        }
        String group = SourceApplication.id(config, source, topic);
        SourceOffsets offsets = SourceOffsets.of(admin, group, source, topic, runtime.marks());
        Map<TopicPartition, Long> places = asked(() -> {
            Map<TopicPartition, Long> meant = offsets.places(to);
            // First the audit: a crash in between leaves a record of what was asked for, and no reset without words.
            runtime.marks().tell(new SourceReset(source.name(), to.toString(), offsets.change(meant), actor, reason));
            move(offsets, meant);
            return meant;
        });
        Map<Integer, Long> moved = new TreeMap<>();
        places.forEach((partition, offset) -> moved.put(partition.partition(), offset));
        return moved;
    }

    /** Other instances stop within seconds of the pause. */
    private static void move(SourceOffsets offsets, Map<TopicPartition, Long> places) {
        long startNs = System.nanoTime();
        while (true) {
            try {
                offsets.move(places);
                return;
            } catch (UnknownMemberIdException | GroupNotEmptyException e) {
                if (System.nanoTime() - startNs > PATIENCE.toNanos()) {
                    throw new NotReadyException(
                            "an instance still reads the source, " + PATIENCE.toSeconds()
                                    + " s after its pause; try again when 'ebb instance list' shows all instances",
                            RETRY);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("the instance ends", RETRY);
        }
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (KafkaException e) {
            String why =
                    KafkaProblem.isRefusal(e) ? KafkaProblem.refusal(e) : "was asked in vain: " + KafkaProblem.text(e);
            throw new UnavailableException("Kafka " + why, e);
        }
    }
}
