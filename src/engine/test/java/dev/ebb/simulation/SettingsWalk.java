package dev.ebb.simulation;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.SettingsLike;
import dev.ebb.topology.wire.ErrandBodies.Configured;
import java.util.List;
import java.util.Objects;

/**
 * Steps in which instances start again with other settings (T-13). A step draws an age and a mode of {@code *} and a
 * notice of undos, gives them to all instances that start from now on, and lets one instance start again, so that
 * instances with different settings stand side by side, or all of them, sometimes with the minute in which they agree.
 *
 * <p>The model of policies has its settings from the records that the gate has accepted, each instance as far as it has
 * read them, and never from a configuration: so an instance that acts by its own settings, or by others before they are in
 * force, breaks the laws of the examiner. Three more laws: nothing goes before settings are in force; the gate asks only
 * for what its instance and those of all partitions have had a moment ago ({@link SettingsLaw}); what all have had for
 * long enough is in force, or waits at the brake. Terminal statuses stay as they are: a stream is sorted anew in slices,
 * and the model of a partition has no picture of a stream that is half sorted. Not thread-safe.
 */
final class SettingsWalk {

    private static final List<Limit> AGES = List.of(
            BuiltInPolicies.DEFAULT_MAX_AGE, Limit.NONE, Limit.of(20_000), Limit.of(60_000), Limit.of(3_600_000));

    private final Walk walk;
    private final World world;
    private final Draw draw;
    private final RestartWalk restarts;
    private final SettingsLaw law;

    SettingsWalk(Walk walk, Draw draw, RestartWalk restarts) {
        this.walk = walk;
        this.world = walk.world;
        this.draw = draw;
        this.restarts = restarts;
        this.law = new SettingsLaw(world);
    }

    /** Draws other settings, and lets instances start with them. */
    boolean change() {
        PolicyMode mode = draw.oneIn(4) ? PolicyMode.WARN : PolicyMode.ENFORCE;
        BuiltInPolicies drawn =
                new BuiltInPolicies(new RetentionSettings(draw.of(AGES), mode, TerminalStatuses.DEFAULT));
        world.settings = new SettingsLike(world.settings)
                .builtIn(drawn)
                .undoNotice(World.notice(draw, walk.mix))
                .make();
        walk.note("instances that start from now on have " + world.settings.configured());
        if (draw.oneIn(3)) {
            restarts.crash(draw.below(world.instances.size()));
            return true;
        }
        for (int i = 0; i < world.instances.size(); i++) {
            restarts.crash(i);
        }
        if (draw.either()) {
            new Settling(walk).agree();
        }
        return true;
    }

    /** The task is about to leave its instance, whose settings count for a while. */
    void remember(Task task) {
        if (!task.isGate()) {
            law.remember(task);
        }
    }

    /** The gate takes a record in. */
    void taken(Message message) {
        if (message.topic().equals(world.topics.assessments())
                && world.codec.object(Objects.requireNonNull(message.value())) instanceof Errand errand
                && errand.step() == Errand.Step.CONFIGURED) {
            law.reported(
                    errand.sender(),
                    JsonState.read(errand.body(), Configured.class).settings());
        }
    }

    /** The gate has sent something: looks whether it asks for settings. Its commit may come at any later time. */
    void sent(List<Object> journal) {
        List<Message> policies = journal.stream()
                .filter(Message.class::isInstance)
                .map(Message.class::cast)
                .filter(message -> message.topic().equals(world.topics.policies()))
                .toList();
        if (policies.isEmpty()) {
            return;
        }
        try {
            law.look(policies);
        } catch (Violation e) {
            throw e;
        } catch (AssertionError e) {
            throw new Violation("T-13 settings are asked for that all have", e.getMessage());
        }
    }

    /** Returns true if an instance with a task has other settings than those in force. */
    boolean isAnyOther() {
        return !world.gate.instance().settings.configured().equals(inForce())
                || world.partitions.stream()
                        .anyMatch(task -> !task.instance().settings.configured().equals(inForce()));
    }

    private RetentionSettings inForce() {
        return world.gate.instance().views.current().policies().settings();
    }

    /** All instances have agreed for long enough, if they do at all. */
    void requireAgreed() {
        RetentionSettings wanted = world.gate.instance().settings.configured();
        boolean isAgreed = world.partitions.stream()
                .allMatch(task -> task.instance().settings.configured().equals(wanted));
        boolean waits = world.gate.instance().views.current().waiting().stream()
                .anyMatch(waiting -> waiting.key().equals(PolicyKey.SETTINGS));
        Coverage.count(!isAgreed ? "settings without agreement" : waits ? "settings at the brake" : "settings agreed");
        if (isAgreed && !waits && !wanted.equals(inForce())) {
            throw new Violation(
                    "T-13 what all have comes into force", wanted + " is that of all, in force is " + inForce());
        }
    }
}
