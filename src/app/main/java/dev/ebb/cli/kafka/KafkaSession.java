package dev.ebb.cli.kafka;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.kafka.TopicProblem;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.streams.InputOffsets;
import dev.ebb.runtime.writes.KafkaPolicyPublisher;
import dev.ebb.serde.lines.Line;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.schemas.SchemaRefusedException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker that the settings name. Where it fails, the command ends with a message that says so. */
public final class KafkaSession {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSession.class);

    private final EbbConfig config;
    private final KafkaClients clients;

    public KafkaSession(EbbConfig config) {
        this.config = config;
        this.clients = new KafkaClients(config);
    }

    public EbbConfig config() {
        return config;
    }

    public KafkaClients clients() {
        return clients;
    }

    /** Runs work on the topics. */
    public <T> T topics(Function<TopicAdmin, T> work) {
        try (Admin admin = clients.admin()) {
            return work.apply(new TopicAdmin(admin, config));
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    /** Runs work on the offsets of the application's group. */
    public <T> T offsets(Function<InputOffsets, T> work) {
        try (Admin admin = clients.admin()) {
            return work.apply(new InputOffsets(admin, clients, config));
        } catch (KafkaException e) {
            throw unreachable(e);
        } catch (RefusedException e) {
            throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Ends the command if a topic is missing or wrong in a way that would lose records. The log of the events is the
     * application's own, whose id a producer need not know.
     */
    public void requireTopics() {
        String log = ConfiguredTopology.eventLog(config);
        for (TopicProblem problem : topics(TopicAdmin::check)) {
            if (problem.isFault() && !problem.topic().equals(log)) {
                throw new CommandFailure(ExitCode.NOT_READY, "topic " + problem);
            }
        }
    }

    /** Ends the command if a topic is missing or wrong, or the registry does not take the schemas. */
    public void requireReady() {
        requireTopics();
        withRecords(records -> true);
    }

    /** Returns true if the cause of a failure may soon be over: the broker or the registry did not answer. */
    public static boolean isPassing(CommandFailure failure) {
        return failure.getCause() instanceof RetriableException
                || failure.getCause() instanceof RegistryUnavailableException;
    }

    /**
     * Opens an upload of events, lets the work use it, and closes it.
     *
     * @return the upload, for its counts
     */
    public EventUpload upload(Consumer<Line.Unreadable> unreadable, Consumer<EventUpload> work) {
        return withRecords(records -> {
            try (Producer<byte[], byte[]> producer = clients.producer()) {
                EventUpload upload = new EventUpload(
                        producer, records, TopicPlan.topics(config).events(), unreadable);
                work.accept(upload);
                return upload;
            }
        });
    }

    /** Sends the policies, in force all at once; the application need not be running. */
    public void publish(List<RetentionPolicy> policies) {
        if (!policies.isEmpty()) {
            long offset = withRecords(records -> publish(policies, records));
            LOG.atDebug().addKeyValue("offset", offset).log("policies sent");
        }
    }

    private long publish(List<RetentionPolicy> policies, AvroRecords records) {
        try (var publisher = new KafkaPolicyPublisher(clients, config, records)) {
            return publisher.publish(PolicyBatch.ofPolicies(policies));
        } catch (PolicyAdmin.TooBigException e) {
            throw CommandFailure.usage(e);
        }
    }

    /** Runs work that writes records of Ebb. */
    public <T> T withRecords(Function<AvroRecords, T> work) {
        try (AvroRecords records = AvroRecords.of(AvroSettings.of(config.avroProperties()))) {
            records.prepare();
            return work.apply(records);
        } catch (KafkaException e) {
            throw unreachable(e);
        } catch (RegistryUnavailableException e) {
            String what = e.getMessage() + ". It is "
                    + config.get(Settings.SCHEMA_REGISTRY_URL)
                    + ". Is it running? Name it with --set schema.registry.url=URL";
            throw new CommandFailure(ExitCode.NOT_READY, what, e);
        } catch (SchemaRefusedException e) {
            throw new CommandFailure(ExitCode.NOT_READY, String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the failure for a broker that does not answer as it should. */
    public CommandFailure unreachable(KafkaException e) {
        if (KafkaProblem.isRefusal(e)) {
            String what = "the broker at " + config.get(Settings.BOOTSTRAP_SERVERS) + " " + KafkaProblem.refusal(e);
            return new CommandFailure(ExitCode.REFUSED, what, e);
        }
        String what = "the broker at " + config.get(Settings.BOOTSTRAP_SERVERS) + " did not complete the request: "
                + KafkaProblem.text(e) + ". Is it running? Name it with --set bootstrap.servers=HOST:PORT";
        return new CommandFailure(ExitCode.NOT_READY, what, e);
    }
}
