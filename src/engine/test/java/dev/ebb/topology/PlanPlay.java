package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.model.SeededCases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Makes a plan, lets things happen, and carries it out: whatever happened, only events of the plan are gone, and each of
 * its events is accounted for.
 */
final class PlanPlay implements AutoCloseable {

    private static final SweepWindow CLOSED = SweepWindow.parse("12:00-12:01 UTC");
    private static final long HOUR_MS = 3_600_000;
    private static final List<String> STREAMS = List.of("a/1", "a/2", "b/1");

    private final Random random;
    private final TopologyFixture fixture;
    private int sent;

    private PlanPlay(Random random) {
        this.random = random;
        this.fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), 1 + random.nextInt(8)));
    }

    /** The first cases, for a build that is broken on purpose; it finds this by its name. */
    static void playTheFirst(int cases) {
        SeededCases.forTheFirst(cases, PlanPlay::play);
    }

    static void play(Random random) {
        try (PlanPlay play = new PlanPlay(random)) {
            play.run();
        }
    }

    @Override
    public void close() {
        fixture.close();
    }

    private void run() {
        fixture.policy(policy(3));
        for (int i = 0; i < 25; i++) {
            happen();
        }
        Command command = command();
        fixture.settleFor(1);
        Map<PlanDigest, StoredEvent> before = stored();
        CommandResult dry = fixture.carryOut(dryRun("p-1", command));
        if (dry.plan() == null) {
            return;
        }
        for (int i = random.nextInt(12); i > 0; i--) {
            happen();
        }
        fixture.settleFor(1);
        Map<PlanDigest, StoredEvent> then = stored();
        check(dry.plan(), before, then, fixture.carryOut(planned("p-1", "c-1", command)));
    }

    private void check(
            PlanOutcome plan,
            Map<PlanDigest, StoredEvent> before,
            Map<PlanDigest, StoredEvent> then,
            CommandResult real) {
        fixture.emptyOut();
        Map<PlanDigest, StoredEvent> gone = new HashMap<>(then);
        gone.keySet().removeAll(stored().keySet());
        if (real.plan() == null) {
            assertThat(gone).as(real.detail()).isEmpty();
            return;
        }
        String done = Objects.requireNonNull(real.plan().digestDone());
        long eventsDone = Objects.requireNonNull(real.plan().eventsDone());
        assertThat(before.keySet()).as("events that the plan could know").containsAll(gone.keySet());
        assertThat(gone.keySet().stream()
                        .reduce(PlanDigest.NOTHING, PlanDigest::plus)
                        .text())
                .isEqualTo(done);
        long left = real.plan().leftOut().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(eventsDone + left).isEqualTo(plan.events());
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(eventsDone);
        if (left == 0) {
            assertThat(real.plan().exact()).isTrue();
        }
    }

    private Map<PlanDigest, StoredEvent> stored() {
        return fixture.stored().stream()
                .collect(Collectors.toMap(
                        stored -> PlanDigest.of(
                                stored.event().stream(), stored.event().id().value(), stored.storedAt()),
                        stored -> stored));
    }

    private Command command() {
        String stream = stream();
        return switch (random.nextInt(6)) {
            case 0, 1 -> CommandFixture.sweep(random.nextBoolean() ? Scope.ALL : Scope.namespace("a"));
            case 2 -> CommandFixture.prune(stream, (long) random.nextInt(3), null);
            case 3 -> CommandFixture.purge(new StreamFilter(null, null, null, 100, true));
            case 4 -> new Command.DeleteStream(new StreamName(stream), random.nextBoolean());
            default -> CommandFixture.deleteEvent(stream, String.valueOf(random.nextInt(6)), random.nextBoolean());
        };
    }

    /** One thing of those that happen between a plan and its end. */
    private void happen() {
        String stream = stream();
        String id = String.valueOf(random.nextInt(6));
        switch (random.nextInt(12)) {
            case 0 -> fixture.event(event(stream, id).status("running"));
            case 1 -> fixture.carryOut(request("e-" + sent++, CommandFixture.deleteEvent(stream, id, true)));
            case 2 -> fixture.hold("LIT-" + random.nextInt(2), Scope.stream(stream));
            case 3 -> fixture.release("LIT-" + random.nextInt(2));
            case 4 -> fixture.advance(random.nextInt(2) * HOUR_MS + 1000);
            case 5 -> fixture.policy(policy(1 + random.nextInt(5)));
            case 6 -> fixture.execution(CommandFixture.execution(stream, 1L + random.nextInt(3), "completed"));
            case 7 -> fixture.event(event(stream, id).execution(1L + random.nextInt(3)));
            default -> fixture.event(event(stream, id));
        }
        sent++;
    }

    private String stream() {
        return STREAMS.get(random.nextInt(STREAMS.size()));
    }

    private static RetentionPolicy policy(long maxCount) {
        return RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(HOUR_MS))
                .maxCount(Limit.of(maxCount))
                .set(PolicyField.WINDOW, CLOSED)
                .build();
    }
}
