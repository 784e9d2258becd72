package dev.ebb.runtime.kafka;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.topology.wire.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The least rights that each party needs, for the configured names. No right on the cluster is among them: since Kafka
 * 3.0 the right to write a topic includes idempotent writes.
 */
public final class AclPlan {

    private final EbbConfig config;
    private final Optional<ConnectWorker> worker;
    private final List<Source> sources;
    private final Topics topics;
    private final List<AclRule> rules = new ArrayList<>();

    /**
     * @param worker the Connect worker; if empty, its own topics and group are left out, since only its settings name
     *     them
     * @param sources the sources that Ebb reads; the topics of others are left out
     */
    public AclPlan(EbbConfig config, Optional<ConnectWorker> worker, List<Source> sources) {
        this.sources = List.copyOf(sources);
        this.config = config;
        this.worker = worker;
        this.topics = TopicPlan.topics(config);
    }

    /** Returns all rules, those of one part together. */
    public List<AclRule> rules() {
        if (rules.isEmpty()) {
            addSetup();
            addRun();
            sources.forEach(this::addSource);
            if (!sources.isEmpty()) {
                addReadersOfSources();
            }
            addConnect();
            topic(AclPart.PRODUCER, List.of(topics.events()), "sends events", WRITE);
            addPolicy();
        }
        return List.copyOf(rules);
    }

    private void addSetup() {
        String made = "corrects the settings of topics that Kafka Streams made";
        topic(AclPart.SETUP, all(), "makes topics and corrects their settings", CREATE, DESCRIBE, ALTER_CONFIGS);
        topic(AclPart.SETUP, changelogs(), made, DESCRIBE, ALTER_CONFIGS);
        topic(AclPart.SETUP, List.of(ConfiguredTopology.eventLog(config)), "makes the log of the events", CREATE);
    }

    private void addRun() {
        String work = "takes in, hands on, reads back, and verifies settings at the start";
        String stores = "changelogs of the stores; Kafka Streams makes them";
        topic(AclPart.RUN, all(), work, READ, WRITE, DESCRIBE_CONFIGS);
        topic(AclPart.RUN, changelogs(), stores, READ, WRITE, CREATE, DESCRIBE_CONFIGS);
        topic(AclPart.RUN, List.of(ConfiguredTopology.eventLog(config)), "cuts the log behind a snapshot", DELETE);
        group(AclPart.RUN, List.of(applicationId()), "shares the partitions among instances", READ);
        transactions(AclPart.RUN, applicationId() + "-", "exactly once; files of policies at once");
        group(AclPart.RUN, sinkGroups(), "sees how far the sinks are", DESCRIBE);
    }

    /** A row that a tombstone overtook, or that an undo brings back, goes to the topic of its source again. */
    private void addSource(Source source) {
        String name = "source '" + source.name() + "'";
        SourceTarget target = source.target();
        topic(AclPart.RUN, List.of(source.topic()), "reads " + name, READ, DESCRIBE_CONFIGS);
        if (target.hasTombstones()) {
            topic(AclPart.RUN, List.of(source.topic()), "deletes and returns rows of " + name, WRITE);
        }
        if (target.kind() == SourceTarget.Kind.TOPIC) {
            topic(AclPart.RUN, List.of(target.topic()), "sends tombstones of " + name, WRITE, DESCRIBE_CONFIGS);
        }
        if (target.kind() == SourceTarget.Kind.TRUNCATE) {
            topic(AclPart.RUN, List.of(source.topic()), "cuts the log of " + name, DELETE);
        }
    }

    /** Each source has an application of Kafka Streams of its own, whose id ends with that of its topic. */
    private void addReadersOfSources() {
        List<String> prefix = List.of(applicationId() + "-sources-");
        String rows = "changelogs of the rows of sources; Kafka Streams makes them";
        rule(
                AclPart.RUN,
                ResourceType.TOPIC,
                PatternType.PREFIXED,
                prefix,
                rows,
                READ,
                WRITE,
                CREATE,
                DESCRIBE_CONFIGS);
        rule(AclPart.RUN, ResourceType.GROUP, PatternType.PREFIXED, prefix, "shares the sources among instances", READ);
    }

    private void addConnect() {
        List<String> rows = List.of(
                config.get(Settings.MIRROR_JSON).equals("on")
                        ? topics.mirrorEvents()
                        : ConfiguredTopology.eventLog(config),
                topics.mirrorExecutions(),
                topics.mirrorPolicies(),
                topics.mirrorAudit());
        topic(AclPart.CONNECT, rows, "copies rows into SQL", READ);
        group(AclPart.CONNECT, sinkGroups(), "notes how far it is", READ);
        worker.ifPresent(this::addWorker);
    }

    private void addWorker(ConnectWorker own) {
        String work = "keeps connectors, offsets and states; the worker makes them and verifies their settings";
        topic(AclPart.CONNECT, own.topics(), work, READ, WRITE, CREATE, DESCRIBE_CONFIGS);
        group(AclPart.CONNECT, List.of(own.group()), "shares the connectors among workers", READ);
    }

    private void addPolicy() {
        topic(AclPart.POLICY, List.of(topics.policies()), "sets policies and holds: may delete data", WRITE);
        transactions(AclPart.POLICY, applicationId() + "-policies-", "several records at once");
    }

    private String applicationId() {
        return config.get(Settings.APPLICATION_ID);
    }

    private List<String> all() {
        return new TopicPlan(config)
                .topics().stream()
                        .map(TopicSpec::name)
                        .filter(name -> !name.equals(ConfiguredTopology.eventLog(config)))
                        .toList();
    }

    private List<String> changelogs() {
        return new ConfiguredTopology(config).changelogs();
    }

    /**
     * Connect names the group of a sink after the sink; the sinks that come with Ebb are named after the application.
     */
    private List<String> sinkGroups() {
        return Stream.of("events", "executions", "policies", "audit")
                .map(sink -> "connect-" + applicationId() + "-" + sink)
                .toList();
    }

    private void topic(AclPart part, List<String> names, String why, AclOperation... operations) {
        rule(part, ResourceType.TOPIC, PatternType.LITERAL, names, why, operations);
    }

    private void group(AclPart part, List<String> names, String why, AclOperation operation) {
        rule(part, ResourceType.GROUP, PatternType.LITERAL, names, why, operation);
    }

    private void transactions(AclPart part, String prefix, String why) {
        rule(part, ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, List.of(prefix), why, WRITE);
    }

    private void rule(
            AclPart part,
            ResourceType type,
            PatternType pattern,
            List<String> names,
            String why,
            AclOperation... operations) {
        rules.add(new AclRule(part, type, pattern, names, List.of(operations), why));
    }
}
