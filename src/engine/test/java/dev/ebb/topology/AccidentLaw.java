package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.AuditRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What may be gone after an accident (T-12): nothing that was protected, held or not due without a command that says so.
 * It knows nothing of how Ebb decides; only ages, counts, holds and commands.
 */
final class AccidentLaw {

    /** The most events that a step brings to a stream before a cap takes others. */
    static final int MOST_ARRIVALS = 3;

    /** The most events that a change of policies may take at once without a confirmation. */
    private final long most;

    private final Map<String, CommandRequest> commands = new HashMap<>();

    AccidentLaw(long most) {
        this.most = most;
    }

    /** An event, whatever has become of it. */
    record Key(StreamName stream, String id, long storedAt) {

        static Key of(StoredEvent stored) {
            return new Key(stored.event().stream(), stored.event().id().value(), stored.storedAt());
        }
    }

    /**
     * The state between two steps.
     *
     * @param trustedMs the time that no clock which jumps can set
     */
    record Picture(Map<Key, StoredEvent> events, PolicySet policies, long trustedMs) {

        static Picture of(Collection<StoredEvent> events, PolicySet policies, long trustedMs) {
            return new Picture(
                    events.stream().collect(Collectors.toMap(Key::of, stored -> stored)), policies, trustedMs);
        }

        long count(StreamName stream) {
            return events.keySet().stream()
                    .filter(key -> key.stream().equals(stream))
                    .count();
        }
    }

    /** Notes a command that is about to be sent. */
    void sent(CommandRequest request) {
        commands.put(request.commandId(), request);
    }

    /**
     * Checks a step; returns the events that went in it, by the commands that took them, {@code ""} for policies.
     *
     * @param touched tells events whose own records came in the step
     * @param isConfirmed true if a person has confirmed what the brake held back in the step
     */
    Map<String, List<StoredEvent>> check(
            Picture before, Picture after, List<AuditRecord> audits, Predicate<Key> touched, boolean isConfirmed) {
        Map<Key, StoredEvent> gone = new HashMap<>(before.events());
        gone.keySet().removeAll(after.events().keySet());
        Map<String, List<StoredEvent>> byCommand = gone.values().stream()
                .collect(Collectors.groupingBy(stored -> checked(stored, before, after, audits, touched)));
        boolean isChanged = before.policies().version() != after.policies().version();
        if (isChanged && !isConfirmed) {
            assertThat(byCommand.getOrDefault("", List.of()))
                    .as("events that a change of policies took without a confirmation")
                    .hasSizeLessThanOrEqualTo((int) most);
        }
        return byCommand;
    }

    private String checked(
            StoredEvent gone, Picture before, Picture after, List<AuditRecord> audits, Predicate<Key> touched) {
        Key key = Key.of(gone);
        assertThat(before.policies().isHeld(key.stream()) && after.policies().isHeld(key.stream()))
                .as(key + " was held")
                .isFalse();
        List<AuditRecord> said = audits.stream()
                .filter(audit -> key.stream().value().equals(audit.stream())
                        && audit.eventIds().contains(key.id()))
                .toList();
        assertThat(said).as("audit of " + key).isNotEmpty();
        AuditRecord audit = said.get(0);
        String commandId = audit.commandId() == null ? "" : audit.commandId();
        CommandRequest request = commands.get(commandId);
        if (request == null || request.command() instanceof Command.SweepNow) {
            assertThat(commandId.isEmpty() || request != null)
                    .as("the command of " + audit)
                    .isTrue();
            assertThat(gone.isProtected() && !touched.test(key))
                    .as(key + " was protected")
                    .isFalse();
            // Its own record may have brought a TTL in this step.
            boolean hasOwnTtl = touched.test(key) && "TTL".equals(audit.cause());
            assertThat(hasOwnTtl
                            || isDue(gone, before, after, before.policies())
                            || isDue(gone, before, after, after.policies()))
                    .as(key + " was not due: " + audit)
                    .isTrue();
            return request == null ? "" : commandId;
        }
        assertThat(request.isDryRun()).as("a dry run took " + key).isFalse();
        assertThat(says(request.command(), gone.event()))
                .as(request + " is not about " + key)
                .isTrue();
        assertThat(gone.isProtected() && !isForced(request.command()) && !touched.test(key))
                .as(key + " was protected from " + request)
                .isFalse();
        return commandId;
    }

    private static boolean isDue(StoredEvent stored, Picture before, Picture after, PolicySet policies) {
        EffectivePolicy policy = policies.effective(stored.event().stream());
        long ageMs = after.trustedMs() - stored.storedAt();
        Limit maxAge = policy.maxAge().value();
        Limit maxCount = policy.get(PolicyField.MAX_COUNT).value();
        Long ttlSeconds = stored.ttl().ttlSeconds();
        long room = before.count(stored.event().stream()) + MOST_ARRIVALS;
        return (!maxAge.isNone() && ageMs > maxAge.value())
                || (!maxCount.isNone() && room > maxCount.value())
                || (ttlSeconds != null && ageMs > ttlSeconds * 1000);
    }

    private static boolean says(Command command, Event event) {
        if (command instanceof Command.DeleteEvent delete) {
            return delete.stream().equals(event.stream()) && delete.id().equals(event.id());
        }
        if (command instanceof Command.OfStream one) {
            return one.stream().equals(event.stream());
        }
        if (command instanceof Command.EraseEvents erase) {
            return "42".equals(event.metadata().get("user")) && erase.isAbout(event.stream());
        }
        return command instanceof Command.PurgeStreams;
    }

    private static boolean isForced(Command command) {
        return (command instanceof Command.DeleteStream stream && stream.isForced())
                || (command instanceof Command.DeleteEvent event && event.isForced())
                || (command instanceof Command.EraseEvents erase && erase.isForced());
    }
}
