package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.SeededCases;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Undos behind a revert: the policy before is back in force, and the dry run says what comes back (T-2, T-3). */
@Tag("T-3")
class RevertScenarioTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final Scope SCOPE = Scope.namespace("orders");
    private static final String STREAM = "orders/1";

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** All comes back, also what the former policy takes; after the notice the former policy decides. */
    @ParameterizedTest
    @CsvSource({"1, 3", "2, 3", "3, 3", "4, 4", "5, 5", "6, 5"})
    void shouldLeaveTheLastOfAStreamAfterTheNotice(long keepLast, int left) {
        // given two events that only keepLast can keep, and three young ones, which a policy took by mistake
        for (int i = 0; i < 5; i++) {
            fixture.advance(i == 2 ? 2 * HOUR_MS : 10);
            fixture.event(event(STREAM, "e" + i));
        }
        RetentionPolicy former = policy(HOUR_MS, keepLast);
        long version = takeAll();

        // then
        revert(former, version, ids(0, 5));
        fixture.advance(TopologySettings.UNDO_NOTICE.toMillis() - 30 * 60_000);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(0, 5));

        // when
        fixture.advance(30 * 60_000);
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).hasSizeLessThanOrEqualTo(left).endsWith("e4");
    }

    /** What came back before a crash and what comes behind it are the same as without one. */
    @Test
    @Tag("T-4")
    void shouldBringBackTheSameOverCrashes() {
        // given an undo that takes one event at a time
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 6; i++) {
            fixture.advance(i == 4 ? 2 * HOUR_MS : 10);
            fixture.event(event(STREAM, "e" + i));
        }
        RetentionPolicy former = policy(HOUR_MS, 4);
        long version = takeAll();
        fixture.policy(former);
        Command undo = undo(version);
        Undone dry = outcome(fixture.carryOut(dryRun("u-0", undo)));

        // when it is killed whenever another event is back
        fixture.send(request("u-1", undo));
        for (int back = 1; back <= 4; back++) {
            for (int i = 0; i < 1000 && fixture.stored().size() < back; i++) {
                fixture.advance(100);
            }
            fixture.restart();
        }
        Undone outcome = outcome(fixture.finish("u-1"));

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(ids(0, 6));
        assertThat(outcome.events()).isEqualTo(dry.events()).isEqualTo(6);
        assertThat(outcome.streams()).isEqualTo(dry.streams()).isEqualTo(1);
        assertThat(outcome.streamNames()).isEqualTo(dry.streamNames()).containsExactly(STREAM);
        assertThat(dueThen(outcome)).isEqualTo(dueThen(dry));
        assertThat(outcome.notReturned()).isEqualTo(dry.notReturned());
    }

    @Test
    void shouldSayInTheDryRunWhatComesBack() {
        SeededCases.forAll(200, this::play);
    }

    private void play(Random random) {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory();
        int all = 1 + random.nextInt(12);
        boolean hasExecutions = random.nextBoolean();
        for (int i = 0; i < all; i++) {
            fixture.advance(1 + random.nextInt(20) * HOUR_MS / 10);
            fixture.event(
                    event("orders/" + random.nextInt(2), "e" + i).execution(hasExecutions ? 1 + random.nextInt(4) : 0));
        }
        for (int number = 1; hasExecutions && number <= 4; number++) {
            fixture.execution(execution("orders/0", number, "completed"));
            fixture.execution(execution("orders/1", number, "completed"));
        }
        RetentionPolicy former = drawn(random);
        fixture.policy(former);
        fixture.settle();
        long version = takeAll();
        fixture.policy(former);
        int later = random.nextInt(4);
        for (int i = 0; i < later; i++) {
            fixture.event(event("orders/0", "later" + i).execution(hasExecutions ? 5 : 0));
        }

        // then
        revert(former, version, null);
    }

    private static RetentionPolicy drawn(Random random) {
        RetentionPolicy.Builder policy = RetentionPolicy.of(SCOPE)
                .maxAge(random.nextBoolean() ? Limit.NONE : Limit.of(1 + random.nextInt(40) * HOUR_MS / 10));
        if (random.nextInt(3) > 0) {
            policy.set(PolicyField.KEEP_LAST, Limit.of(1 + random.nextInt(6)));
        }
        if (random.nextBoolean()) {
            policy.maxCount(Limit.of(1 + random.nextInt(8)));
        }
        if (random.nextInt(3) == 0) {
            policy.set(PolicyField.MIN_AGE, Limit.of(1 + random.nextInt(40) * HOUR_MS / 10));
        }
        return policy.build();
    }

    /** Puts the policy back, and undoes what that version took; what is back must stay, and be as much as was said. */
    private void revert(RetentionPolicy former, long version, @Nullable List<String> expected) {
        // when
        fixture.policy(former);
        Command undo = undo(version);
        Undone dry = outcome(fixture.carryOut(dryRun("u-0", undo)));
        int before = fixture.stored().size();
        Undone outcome = outcome(fixture.carryOut(request("u-1", undo)));
        List<StoredEvent> back = fixture.stored();
        fixture.settleFor(5);

        // then
        if (expected != null) {
            assertThat(fixture.ids(STREAM)).containsExactlyElementsOf(expected);
        }
        assertThat(dry.events()).as("said by the dry run").isEqualTo(outcome.events());
        assertThat(outcome.events()).isEqualTo(back.size() - before);
        assertThat(dry.executions()).isEqualTo(outcome.executions());
        assertThat(dry.streams()).isEqualTo(outcome.streams());
        assertThat(dry.notReturned()).isEqualTo(outcome.notReturned());
        assertThat(dry.named()).containsExactlyInAnyOrderElementsOf(outcome.named());
        assertThat(fixture.stored()).isEqualTo(back);
    }

    private static long dueThen(Undone outcome) {
        return Objects.requireNonNull(outcome.notice()).dueThen();
    }

    /** A policy that takes everything; returns its version. */
    private long takeAll() {
        fixture.policy(RetentionPolicy.of(SCOPE).maxAge(Limit.of(1)).build());
        fixture.advance(1000);
        fixture.settle();
        assertThat(fixture.stored()).isEmpty();
        return fixture.policies().version();
    }

    private static RetentionPolicy policy(long maxAgeMs, long keepLast) {
        return RetentionPolicy.of(SCOPE)
                .maxAge(Limit.of(maxAgeMs))
                .set(PolicyField.KEEP_LAST, Limit.of(keepLast))
                .build();
    }

    private Command undo(long version) {
        return new Command.UndoDeletes(
                new UndoFilter(null, null, SCOPE.toString(), version, null, null, null, null),
                fixture.policies().version());
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
    }

    private static Undone outcome(CommandResult result) {
        return Objects.requireNonNull(Outcomes.undone(result), result::detail);
    }
}
