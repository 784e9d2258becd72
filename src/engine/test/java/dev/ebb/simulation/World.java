package dev.ebb.simulation;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.store.state.Graves;
import dev.ebb.topology.SimulatedNode;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Everything that there is in a walk: broker, instances and tasks, and the time, which is that of the broker. */
final class World {

    static final long T0 = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();

    final Broker broker;
    final Codec codec = new Codec();
    final Topics topics;

    /** The configuration of instances that start from now on. */
    TopologySettings settings;

    final Map<String, String> sinks;
    final List<dev.ebb.simulation.Instance> instances = new ArrayList<>();
    final List<Task> partitions = new ArrayList<>();
    final Task gate;

    /** Policies in force, seen or not, and the version up to which each partition has confirmed holds. */
    final PolicyBook inForce;

    final long[] confirmed;
    final CommandBook commands = new CommandBook();
    private final Set<Integer> answeredSchemas = new TreeSet<>();
    long nowMs = T0;

    World(Draw draw, Mix mix, Broker broker) {
        this(draw, broker, 1 + draw.below(3), settings(draw, mix));
    }

    World(Draw draw, Broker broker, int partitionCount, TopologySettings settings) {
        this.broker = broker;
        this.settings = settings;
        topics = new Topics("ebb.", partitionCount);
        sinks = SimulatedNode.sinks(topics);
        inForce = new PolicyBook(codec);
        confirmed = new long[topics.partitions()];
        java.util.Arrays.fill(confirmed, -1);
        makeTopics();
        int wanted = 1 + draw.below(3);
        for (int i = 0; i < wanted; i++) {
            instances.add(newInstance());
        }
        List<String> inputs = List.of(topics.events(), topics.rekey(), topics.commands());
        for (int partition = 0; partition < topics.partitions(); partition++) {
            partitions.add(new Task(this, partition, inputs));
            partitions.get(partition).start(instances.get(draw.below(wanted)));
        }
        gate = new Task(this, Task.GATE, List.of(topics.policies(), topics.assessments()));
        gate.start(instances.get(draw.below(wanted)));
    }

    private static TopologySettings settings(Draw draw, Mix mix) {
        BrakeLimits brake = mix.has(Mix.Ingredient.BRAKE) && draw.oneIn(3)
                ? new BrakeLimits(draw.oneIn(2) ? 0 : 20, draw.below(4), 0)
                : BrakeLimits.OFF;
        return new TopologySettings(
                TerminalStatuses.DEFAULT,
                new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE),
                true,
                draw.oneIn(2) ? OptionalLong.empty() : OptionalLong.of(1),
                draw.oneIn(2) ? 1 + draw.below(3) : 10_000,
                Duration.ofMillis(30),
                1024 * 1024,
                brake,
                Map.of(),
                Duration.ofHours(24),
                TopologySettings.IDLE_PERIOD,
                ParkingLimits.DEFAULT,
                Duration.ofDays(7),
                notice(draw, mix),
                graveRetention(draw),
                CrowdLimits.DEFAULT,
                Limit.NONE,
                TopologyFixture.THREE_STREAMS);
    }

    static Duration notice(Draw draw, Mix mix) {
        return mix.has(Mix.Ingredient.UNDO) && !draw.oneIn(4)
                ? Duration.ofMillis(1 + draw.below(30_000))
                : TopologySettings.UNDO_NOTICE;
    }

    /** So short that walks see their end, or as it usually is, or none. */
    private static Duration graveRetention(Draw draw) {
        return draw.oneIn(3)
                ? Duration.ofMillis(1 + draw.below(30_000))
                : draw.oneIn(6) ? Duration.ZERO : Graves.DEFAULT_RETENTION;
    }

    private void makeTopics() {
        int partitions = topics.partitions();
        for (String topic : List.of(
                topics.events(),
                topics.rekey(),
                topics.commands(),
                topics.mirrorEvents(),
                topics.mirrorExecutions(),
                topics.trash(),
                topics.results())) {
            broker.topic(topic, partitions);
        }
        for (String topic : List.of(
                topics.policies(),
                topics.policiesAccepted(),
                topics.assessments(),
                topics.audit(),
                topics.checkpoints(),
                topics.mirrorAudit(),
                topics.mirrorPolicies(),
                topics.reports(),
                topics.rejected(),
                topics.archive())) {
            broker.topic(topic, 1);
        }
    }

    private dev.ebb.simulation.Instance newInstance() {
        return new dev.ebb.simulation.Instance(this);
    }

    /** A new process in place of one that has died. */
    dev.ebb.simulation.Instance replace(int index) {
        instances.set(index, newInstance());
        return instances.get(index);
    }

    /** The schemas that the registry has. */
    Set<Integer> answeredSchemas() {
        return answeredSchemas;
    }
}
