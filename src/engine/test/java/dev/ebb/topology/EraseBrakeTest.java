package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An erasure that would delete much waits until somebody has seen its plan or named the number of its events. */
@Tag("T-15")
class EraseBrakeTest {

    private static final Command ERASE = EraseScenarioTest.erase(null, false, "metadata.user=42");

    private TopologyFixture fixture = withLimits(20, 10);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("EraseIsBraked")
    void eraseIsBraked() {
        // given
        store("orders", 30, 70);

        // when
        CommandResult refused = fixture.carryOut(request("c-1", ERASE));

        // then: nothing is gone, and the result names the number and the ways out
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(refused.outcome().deletions().eventsDeleted()).isZero();
        assertThat(refused.detail()).contains("would delete 30 of 100 events", "carry out its plan", "maxDeletes=30");
        assertThat(fixture.stored()).hasSize(100);

        // when
        CommandResult plan = fixture.carryOut(dryRun("p-1", ERASE));
        CommandResult done = fixture.carryOut(planned("p-1", "c-2", ERASE));

        // then
        assertThat(plan.outcome().deletions().eventsDeleted()).isEqualTo(30);
        assertThat(done.state()).as(done.detail()).isEqualTo(State.DONE);
        assertThat(done.outcome().deletions().eventsDeleted()).isEqualTo(30);
        assertThat(fixture.stored()).hasSize(70);
    }

    @ParameterizedTest
    @CsvSource({"20, 80, true", "21, 79, false", "10, 1, true", "11, 1, false"})
    void shouldEraseUnseenUpToTheShareAndTheMinimum(int matching, int others, boolean isErased) {
        // given
        store("orders", matching, others);

        // when
        CommandResult result = fixture.carryOut(request("c-1", ERASE));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(isErased ? State.DONE : State.REFUSED);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(isErased ? matching : 0);
        assertThat(fixture.stored()).hasSize(others + (isErased ? 0 : matching));
    }

    @Test
    void shouldSeeEachNamespace() {
        // given
        store("small", 20, 0);
        store("big", 0, 400);

        // when
        CommandResult result = fixture.carryOut(request("c-1", ERASE));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(result.detail()).contains("20 of 420 events, 20 of 20 in the namespace small");
        assertThat(fixture.stored()).hasSize(420);
    }

    @ParameterizedTest
    @CsvSource({"29, false", "30, true", "31, true"})
    void shouldEraseNoMoreThanTheNumberThatIsNamed(long most, boolean isErased) {
        // given
        store("orders", 30, 0);

        // when
        CommandResult result = fixture.carryOut(atMost(most, "c-1", ERASE));

        // then
        assertThat(result.refusal()).isEqualTo(isErased ? null : Refusal.TOO_MANY);
        assertThat(fixture.stored()).hasSize(isErased ? 0 : 30);
    }

    @Test
    void shouldGoOnWithTheCountAfterARestart() {
        // given
        store("orders", 30, 70);
        fixture.send(request("c-1", ERASE));

        // when
        for (int i = 0; i < 5; i++) {
            fixture.advance(1);
            fixture.restart();
        }

        // then
        assertThat(fixture.finish("c-1").refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(fixture.stored()).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({"4, true", "5, true", "6, false"})
    @DisplayName("ErasuresAddUpOverAnHour")
    void erasuresAddUpOverAnHour(int last, boolean isErased) {
        // given three erasures of five events of a hundred: together they are within the limit of twenty
        storeUsers(5, 5, 5, last);
        store("orders", 0, 85 - last);
        for (int user = 0; user < 3; user++) {
            assertThat(fixture.carryOut(request("c-" + user, eraseUser(user))).state())
                    .isEqualTo(State.DONE);
        }

        // when
        fixture.restart();
        CommandResult result = fixture.carryOut(request("c-9", eraseUser(3)));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(isErased ? State.DONE : State.REFUSED);
        assertThat(fixture.stored()).hasSize(85 - (isErased ? last : 0));
        if (!isErased) {
            assertThat(result.refusal()).isEqualTo(Refusal.UNCONFIRMED);
            assertThat(result.detail()).contains("6 of 100 in the namespace orders", "last hour delete 15");
        }
    }

    @ParameterizedTest
    @CsvSource({"59, false", "60, false", "61, true"})
    void shouldForgetErasuresAfterAnHour(int minutes, boolean isErased) {
        // given
        storeUsers(20, 1);
        store("orders", 0, 79);
        fixture.carryOut(request("c-1", eraseUser(0)));

        // when
        fixture.advance(Duration.ofMinutes(minutes).toMillis());
        CommandResult result = fixture.carryOut(request("c-2", eraseUser(1)));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(isErased ? State.DONE : State.REFUSED);
    }

    @Test
    void shouldNotCountErasuresThatSomebodyConfirmed() {
        // given
        storeUsers(15, 15, 15);
        store("orders", 0, 55);
        fixture.carryOut(dryRun("p-1", eraseUser(0)));

        // when
        CommandResult planned = fixture.carryOut(planned("p-1", "c-1", eraseUser(0)));
        CommandResult named = fixture.carryOut(atMost(15, "c-2", eraseUser(1)));
        CommandResult unseen = fixture.carryOut(request("c-3", eraseUser(2)));

        // then fifteen of the seventy that are left are too many by themselves
        assertThat(planned.state()).isEqualTo(State.DONE);
        assertThat(named.state()).isEqualTo(State.DONE);
        assertThat(unseen.detail()).contains("would delete 15 of 70 events").doesNotContain("last hour");
    }

    @Test
    void shouldJudgeErasuresThatComeAtOnceTogether() {
        // given ten erasures of five events each, all sent before any is counted
        storeUsers(5, 5, 5, 5, 5, 5, 5, 5, 5, 5);
        store("orders", 0, 50);

        // when
        for (int user = 0; user < 10; user++) {
            fixture.send(request("c-" + user, eraseUser(user)));
        }
        List<State> states = new ArrayList<>();
        for (int user = 0; user < 10; user++) {
            states.add(fixture.finish("c-" + user).state());
        }

        // then
        assertThat(states).filteredOn(State.DONE::equals).hasSize(4);
        assertThat(fixture.stored()).hasSize(80);
    }

    @Test
    void shouldLeadErasuresWhereTheyAddUpWhereverTheyArrive() {
        // given a namespace whose streams lie in three partitions
        PartitionsFixture partitions = new PartitionsFixture(3, settings(20, 10, 1000));
        for (int partition = 0; partition < 3; partition++) {
            String stream = partitions.nameIn(partition, "orders/");
            for (int i = 0; i < 20; i++) {
                String user = i < 5 ? "u" + partition : "other";
                partitions.event(event(stream, "e" + i).metadata(Map.of("user", user)));
            }
        }

        // when one erasure of five events arrives at each of the partitions
        List<State> states = new ArrayList<>();
        for (int partition = 0; partition < 3; partition++) {
            String id = "c-" + partition;
            partitions.send(request(id, eraseUser(partition)), partition);
            states.add(partitions.finish(id).state());
        }

        // then the limit is twelve of sixty
        assertThat(states).containsExactly(State.DONE, State.DONE, State.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({"4, true", "5, true", "6, false"})
    @DisplayName("ErasesNoMoreThanWasCounted")
    void erasesNoMoreThanWasCounted(int late, boolean leavesRoom) {
        // given an erasure of fifteen events of a hundred that has begun to erase: the hour leaves five
        restartWithSlicesOf(2);
        store("orders", 15, 85);
        fixture.send(request("c-1", ERASE));
        for (int i = 0; i < 1000 && fixture.stored().size() == 100; i++) {
            fixture.advance(100);
        }

        // when
        for (int i = 0; i < late; i++) {
            fixture.event(event("orders/late", "late" + i).metadata(Map.of("user", "42")));
        }
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(15);
        assertThat(fixture.stored()).hasSize(85 + late);
        assertThat(result.detail())
                .contains(late + " stay: they match only since the count for the brake; erase again");
        assertThat(fixture.erasures).singleElement().satisfies(audit -> assertThat(audit.policy())
                .contains("\"UNCOUNTED\":" + late, "the state and SQL: " + late + " matches that stay"));

        // and the next erasure takes them if the hour allows it
        CommandResult next = fixture.carryOut(request("c-2", ERASE));
        assertThat(next.state()).as(next.detail()).isEqualTo(leavesRoom ? State.DONE : State.REFUSED);
        assertThat(fixture.stored()).hasSize(85 + (leavesRoom ? 0 : late));
    }

    @Test
    void shouldNotEraseMoreThanTheHourAllowsByErasuresThatRunAtOnce() {
        // given two erasures of five events of a hundred that have both begun
        restartWithSlicesOf(2);
        storeUsers(5, 5);
        store("orders", 0, 90);
        fixture.send(request("c-0", eraseUser(0)));
        fixture.send(request("c-1", eraseUser(1)));
        for (int i = 0; i < 1000 && fixture.stored().size() > 98; i++) {
            fixture.advance(100);
        }

        // when
        for (int i = 0; i < 15; i++) {
            fixture.event(event("orders/late", "late0-" + i).metadata(Map.of("user", "u0")));
            fixture.event(event("orders/late", "late1-" + i).metadata(Map.of("user", "u1")));
        }
        fixture.finish("c-0");
        fixture.finish("c-1");

        // then
        assertThat(fixture.stored()).hasSizeBetween(130 - 20, 130 - 5);
    }

    @Test
    void shouldEraseNoMoreThanTheNumberThatIsNamedWhateverArrives() {
        // given
        restartWithSlicesOf(2);
        store("orders", 15, 5);
        fixture.send(atMost(16, "c-1", ERASE));
        for (int i = 0; i < 1000 && fixture.stored().size() == 20; i++) {
            fixture.advance(100);
        }

        // when the number is known after a crash, too
        fixture.restart();
        for (int i = 0; i < 3; i++) {
            fixture.event(event("orders/late", "late" + i).metadata(Map.of("user", "42")));
        }
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(16);
        assertThat(fixture.stored()).hasSize(5 + 2);
    }

    /** A count names 1000 namespaces; the others are judged, limited and spent together. */
    @ParameterizedTest
    @CsvSource({"999", "1000", "1001"})
    void shouldEraseInMoreNamespacesThanACountNames(int namespaces) {
        // given two matching events of ten in each namespace, of two users
        for (int i = 0; i < namespaces; i++) {
            for (int j = 0; j < 10; j++) {
                String user = j < 2 ? "u" + j : "other";
                fixture.event(event("n" + i + "/1", "e" + j).metadata(Map.of("user", user)));
            }
        }

        // when
        CommandResult first = fixture.carryOut(request("c-1", eraseUser(0)));
        CommandResult second = fixture.carryOut(request("c-2", eraseUser(1)));

        // then
        assertThat(List.of(first, second)).allSatisfy(result -> {
            assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
            assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(namespaces);
        });
        assertThat(fixture.stored()).hasSize(8 * namespaces);
    }

    private static Command eraseUser(int user) {
        return EraseScenarioTest.erase(null, false, "metadata.user=u" + user);
    }

    /** Stores so many events of each user. */
    private void storeUsers(int... numbers) {
        for (int user = 0; user < numbers.length; user++) {
            for (int i = 0; i < numbers[user]; i++) {
                fixture.event(event("orders/" + i % 3, user + "-" + i).metadata(Map.of("user", "u" + user)));
            }
        }
    }

    private void restartWithSlicesOf(long steps) {
        fixture.close();
        fixture = TopologyFixture.inMemory(settings(20, 10, steps));
    }

    private void store(String namespace, int matching, int others) {
        for (int i = 0; i < matching + others; i++) {
            String user = i < matching ? "42" : "43";
            fixture.event(event(namespace + "/" + i % 3, "e" + i).metadata(Map.of("user", user)));
        }
    }

    private static TopologyFixture withLimits(int share, long minimum) {
        return TopologyFixture.inMemory(settings(share, minimum, 1000));
    }

    private static TopologySettings settings(int share, long minimum, long steps) {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.of(steps), 10_000))
                .brakeLimits(new BrakeLimits(share, minimum, 0))
                .make();
    }
}
