package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.SeededCases;
import dev.ebb.topology.AccidentLaw.Key;
import dev.ebb.topology.AccidentLaw.Picture;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Random accidents of people and machines (T-12): wrong policies, files of which a part is missing, clocks that jump, wrong
 * and forced commands, holds released by mistake, two people at once, restarts. After each step the {@link AccidentLaw}
 * is asked; and what a command took within its window comes back byte for byte.
 */
final class AccidentPlay implements AutoCloseable {

    /** Steps of one play. */
    static final int STEPS = 100;

    private static final long HOUR_MS = 3_600_000;
    private static final int MOST_AT_ONCE = 5;
    private static final List<String> STREAMS = List.of("a/1", "a/2", "b/1");
    private static final List<String> CASES = List.of("LIT-0", "LIT-1");

    private final Random random;
    private final TopologyFixture fixture;
    private final AccidentLaw law = new AccidentLaw(MOST_AT_ONCE);
    private final Set<Key> touched = new HashSet<>();
    private boolean isConfirmed;
    private long aheadMs;
    private int sent;

    private AccidentPlay(Random random) {
        this.random = random;
        this.fixture = TopologyFixture.inMemory(
                new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 1 + random.nextInt(8)))
                        .brakeLimits(new BrakeLimits(1, MOST_AT_ONCE))
                        .make());
    }

    /** The first plays, for a build that is broken on purpose; it finds this by its name. */
    static void playTheFirst(int plays) {
        SeededCases.forTheFirst(plays, AccidentPlay::play);
    }

    static void play(Random random) {
        try (AccidentPlay play = new AccidentPlay(random)) {
            for (int step = 0; step < STEPS; step++) {
                play.step();
            }
        }
    }

    @Override
    public void close() {
        fixture.close();
    }

    private void step() {
        Picture before = picture();
        int audited = fixture.audits.size();
        touched.clear();
        isConfirmed = false;
        String commandId = happen();
        fixture.settleFor(1);
        Map<String, List<StoredEvent>> gone = law.check(
                before,
                picture(),
                List.copyOf(fixture.audits.subList(audited, fixture.audits.size())),
                touched::contains,
                isConfirmed);
        if (commandId != null && random.nextInt(3) == 0) {
            undo(commandId, gone.getOrDefault(commandId, List.of()));
        }
    }

    private Picture picture() {
        return Picture.of(fixture.stored(), fixture.policies(), fixture.nowMs() - aheadMs);
    }

    /** One accident, or an ordinary thing between them; returns the command whose deletes can be undone, if it is one. */
    private @Nullable String happen() {
        String stream = stream();
        switch (random.nextInt(30)) {
            case 0 -> fixture.policy(policy());
            case 1 -> incompleteFile();
            case 2 -> fixture.removePolicy(scope());
            case 3 -> twoAuthors();
            case 4 -> confirm();
            case 5 -> fixture.hold(caseId(), scopeOfHold());
            case 6 -> fixture.release(caseId());
            case 7 -> clockJumps();
            case 8 -> fixture.restart();
            case 9 -> fixture.advance(HOUR_MS / 2);
            case 10 -> {
                return command(new Command.DeleteStream(new StreamName(stream), random.nextBoolean()));
            }
            case 11 -> {
                return command(CommandFixture.deleteEvent(stream, id(), random.nextBoolean()));
            }
            case 12 -> {
                return command(CommandFixture.purge(new StreamFilter(null, null, null, 100, true)));
            }
            case 13 -> {
                return twoCommands(stream);
            }
            case 14 ->
                command(
                        random.nextInt(4) == 0
                                ? EraseScenarioTest.erase(null, random.nextBoolean(), "metadata.user=42")
                                : CommandFixture.sweep(Scope.ALL));
            case 15 -> terminal(stream, id());
            default -> arrive(stream);
        }
        return null;
    }

    private void arrive(String stream) {
        for (int i = 1 + random.nextInt(AccidentLaw.MOST_ARRIVALS); i > 0; i--) {
            EventBuilder arriving = event(stream, id()).payload(new byte[] {(byte) sent++});
            switch (random.nextInt(5)) {
                case 0 -> arriving.status("running");
                case 1 -> arriving.ttlSeconds(1800);
                case 2 -> arriving.metadata(Map.of("user", "42"));
                default -> {}
            }
            touch(stream, arriving.build().id().value());
            fixture.event(arriving);
        }
    }

    private void terminal(String stream, String id) {
        touch(stream, id);
        fixture.status(stream, id, "completed");
    }

    /** An event's own record may end its protection. */
    private void touch(String stream, String id) {
        fixture.stored().stream()
                .map(Key::of)
                .filter(key -> key.stream().value().equals(stream) && key.id().equals(id))
                .forEach(touched::add);
    }

    private void incompleteFile() {
        var before = fixture.policies().policies();
        fixture.policyOfFile(policy(), "file-" + sent++, 2);
        assertThat(fixture.policies().policies())
                .as("policies of a part of a file")
                .isEqualTo(before);
    }

    /** Two people plan files under one version: the second must not come into force. */
    private void twoAuthors() {
        long base = fixture.policies().version();
        planned(policy(), base);
        var first = fixture.policies();
        planned(policy(), base);
        if (first.version() != base) {
            assertThat(fixture.policies().version())
                    .as("version behind the second author")
                    .isEqualTo(first.version());
        }
    }

    private void planned(RetentionPolicy policy, long base) {
        Headers headers = TopologyFixture.ofFile("file-" + sent++, 1);
        EbbHeaders.set(headers, EbbHeaders.APPLY_BASE, base);
        fixture.policy(policy.scope().toString(), fixture.records.bytes(policy), headers);
    }

    private void confirm() {
        List<WaitingPolicy> waiting = fixture.view().waiting();
        if (!waiting.isEmpty()) {
            WaitingPolicy one = waiting.get(random.nextInt(waiting.size()));
            Headers headers = new RecordHeaders();
            EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, one.version());
            isConfirmed = true;
            fixture.policy(EbbHeaders.CONFIRM + one.key(), null, headers);
        }
    }

    /** The clock of the instance is hours ahead, or comes back. */
    private void clockJumps() {
        if (aheadMs == 0) {
            aheadMs = (1 + random.nextInt(10)) * HOUR_MS;
            fixture.clockIsAhead(aheadMs);
            fixture.advance(aheadMs);
        }
    }

    private String command(Command command) {
        return command(request(command));
    }

    private CommandRequest request(Command command) {
        CommandRequest request = CommandFixture.request("c-" + sent++, command);
        law.sent(request);
        return request;
    }

    private String command(CommandRequest request) {
        fixture.carryOut(request);
        fixture.emptyOut();
        return request.commandId();
    }

    /** Two people delete one stream at the same moment; one of them is forced to. */
    private String twoCommands(String stream) {
        CommandRequest first = request(new Command.DeleteStream(new StreamName(stream), false));
        CommandRequest second = request(new Command.DeleteStream(new StreamName(stream), true));
        fixture.send(first);
        fixture.send(second);
        fixture.finish(first.commandId());
        fixture.finish(second.commandId());
        fixture.emptyOut();
        return second.commandId();
    }

    /** Undoes a command: each event that it took is back as it was, or is accounted for. */
    private void undo(String commandId, List<StoredEvent> lost) {
        UndoFilter filter = new UndoFilter(commandId, null, null, null, null, null, null, null);
        CommandResult result =
                fixture.carryOut(CommandFixture.request("u-" + sent++, new Command.UndoDeletes(filter, null)));
        if (result.state() == State.DONE) {
            UndoOutcome outcome = Objects.requireNonNull(result.undo());
            Map<Key, StoredEvent> now = picture().events();
            List<StoredEvent> missing = new ArrayList<>();
            lost.stream()
                    .filter(stored -> !stored.equals(now.get(Key.of(stored))))
                    .forEach(missing::add);
            long said = outcome.notReturned().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat((long) missing.size())
                    .as("of " + lost.size() + " events of " + commandId + " did not come back, and the undo says "
                            + outcome)
                    .isLessThanOrEqualTo(said);
        }
    }

    private RetentionPolicy policy() {
        RetentionPolicy.Builder policy = RetentionPolicy.of(scope());
        return random.nextBoolean()
                ? policy.maxAge(Limit.of((1 + random.nextInt(6)) * HOUR_MS / 2)).build()
                : policy.maxCount(Limit.of(1 + random.nextInt(6))).build();
    }

    private Scope scope() {
        return switch (random.nextInt(3)) {
            case 0 -> Scope.ALL;
            case 1 -> Scope.namespace("a");
            default -> Scope.stream(stream());
        };
    }

    private Scope scopeOfHold() {
        return random.nextBoolean() ? Scope.namespace("a") : Scope.stream(stream());
    }

    private String caseId() {
        return CASES.get(random.nextInt(CASES.size()));
    }

    private String stream() {
        return STREAMS.get(random.nextInt(STREAMS.size()));
    }

    private String id() {
        return "e" + random.nextInt(8);
    }
}
