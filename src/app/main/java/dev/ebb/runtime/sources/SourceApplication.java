package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceReader;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.plugins.PluginException;
import dev.ebb.runtime.streams.StreamsSettings;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.topology.source.AcceptedSource;
import dev.ebb.topology.source.SourceTopology;
import dev.ebb.topology.source.SourceWork;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application of Kafka Streams that reads one source. Its id names the source and the topic by its id: a topic that
 * is made anew has neither offsets nor rows of the former one (F-11). Not thread-safe.
 */
final class SourceApplication implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceApplication.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9._-]{1,60}");
    private static final long PAUSE_MS = 1000;

    /** Longer than from one failure to the next while a service is away. */
    private static final long FORGET_NS = Duration.ofMinutes(1).toNanos();

    private final AcceptedSource accepted;
    private final SourceTopic topic;
    private final SourceFormats formats;
    private final KafkaStreams streams;
    private volatile @Nullable Failure failure;

    private record Failure(String text, long atNs) {}

    private SourceApplication(AcceptedSource accepted, SourceTopic topic, SourceFormats formats, KafkaStreams streams) {
        this.accepted = accepted;
        this.topic = topic;
        this.formats = formats;
        this.streams = streams;
    }

    /** Returns the id of the application, which is also that of its group. */
    static String id(EbbConfig config, Source source, SourceTopic topic) {
        String name = source.name();
        String plain = PLAIN.matcher(name).matches() ? name : "x" + Integer.toHexString(name.hashCode());
        return config.get(Settings.APPLICATION_ID) + "-sources-" + plain + "-" + topic.id();
    }

    /** Starts to read the source. */
    static SourceApplication start(SourceParts parts, AcceptedSource accepted, SourceTopic topic) {
        EbbConfig config = parts.config();
        Source source = accepted.source();
        SourceFormats formats = parts.formats();
        SourceWork work = new SourceWork(
                new SourceMapping(source, reader(formats, source)),
                topic.id(),
                parts.topics(),
                parts.writer(),
                parts.limits(),
                parts.fetch(),
                parts.observer());
        Properties settings = StreamsSettings.of(config, parts.memory(), new CommittedOffsets());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, id(config, source, topic));
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);
        // That of the engine sets records aside, which it knows by its own topics.
        settings.remove(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG);
        KafkaStreams streams = new KafkaStreams(
                SourceTopology.build(work, new ConfiguredTopology(config).changelogSettings()), settings);
        SourceApplication application = new SourceApplication(accepted, topic, formats, streams);
        streams.setUncaughtExceptionHandler(application::failed);
        streams.start();
        LOG.atInfo()
                .addKeyValue("source", source.name())
                .addKeyValue("topic", source.topic())
                .addKeyValue("version", accepted.version())
                .log("source is read");
        return application;
    }

    private static SourceReader reader(SourceFormats formats, Source source) {
        try {
            return formats.reader(source);
        } catch (PluginException e) {
            formats.close();
            throw e;
        }
    }

    /** The registry or the broker may be away: the next thread tries again, after a pause. */
    private StreamThreadExceptionResponse failed(Throwable problem) {
        Throwable cause = problem.getCause();
        String text = KafkaProblem.text(problem instanceof StreamsException && cause != null ? cause : problem);
        failure = new Failure(text, System.nanoTime());
        LOG.atWarn()
                .setCause(problem)
                .addKeyValue("source", accepted.source().name())
                .log("source cannot be read for now");
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /** Returns true if it reads that source from that topic. */
    boolean reads(AcceptedSource other, SourceTopic now) {
        return accepted.equals(other)
                && topic.id().equals(now.id())
                && topic.partitions() == now.partitions()
                && streams.state() != KafkaStreams.State.ERROR;
    }

    /** Returns the last failure of its thread; null if there was none, or if its next thread has worked for a minute. */
    @Nullable
    String failure() {
        Failure last = failure;
        if (last == null) {
            return null;
        }
        boolean isOver = streams.state() == KafkaStreams.State.RUNNING && System.nanoTime() - last.atNs() > FORGET_NS;
        return isOver ? null : last.text();
    }

    @Override
    public void close() {
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        formats.close();
    }
}
