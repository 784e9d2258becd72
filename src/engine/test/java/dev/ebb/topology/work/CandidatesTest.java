package dev.ebb.topology.work;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.budget;
import static dev.ebb.topology.work.WorkFixture.oneStep;
import static dev.ebb.topology.work.WorkFixture.spent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.topology.CommandFixture;
import dev.ebb.topology.Outcomes;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.work.Candidates.Search;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The streams that match the filter of a command, page by page, the oldest completion first. */
@Tag("O-9")
class CandidatesTest {

    private static final Command PURGE = new Command.PurgeStreams(filter(null, null));

    private WorkFixture fixture = new WorkFixture();
    private Candidates candidates = fixture.parts.candidates();

    @Test
    void shouldNameTheOldestCompletionsFirst() {
        // given
        fill("c", "a", "b");

        // when
        Gathered answer = ask(question(PURGE, 10));

        // then
        assertThat(names(answer)).containsExactly("c", "a", "b");
        assertThat(answer.isLast()).isTrue();
        assertThat(answer.skipped()).isEqualTo(Deleted.NOTHING);
    }

    /** A look at all streams for each page would cost as much as the streams times the pages. */
    @Test
    void shouldNotLookAtAllStreamsAgainForTheNextPage() {
        // given
        fill("a", "b", "c", "d");
        Gathered first = ask(question(PURGE, 2));

        // when
        Search next = candidates.search(behind(first, "c-1", 1), T0);
        boolean isOver = next.run(T0, spent());
        Gathered second = next.answer();

        // then
        assertThat(isOver).isTrue();
        assertThat(names(second)).containsExactly("c");
        assertThat(List.of(first.isLast(), second.isLast())).containsExactly(false, false);
        assertThat(ask(behind(second, "c-1", 1)))
                .isEqualTo(new Gathered(List.of(candidate("d")), Deleted.NOTHING, true, List.of()));
    }

    @Test
    void shouldLookAnewForAnotherCommandOrFromAnotherPlace() {
        // given
        fill("a", "b", "c");

        // when
        Gathered first = ask(question(PURGE, 1));
        Gathered ofOther = ask(new Gather(request("c-2", PURGE), candidate("a"), 10));
        Gathered ofNext = ask(new Gather(request("c-1", PURGE), candidate("b"), 10));
        Gathered again = ask(question(PURGE, 10));

        // then
        assertThat(names(first)).containsExactly("a");
        assertThat(names(ofOther)).containsExactly("b", "c");
        assertThat(names(ofNext)).containsExactly("c");
        assertThat(names(again)).containsExactly("a", "b", "c");
    }

    /** Another command asks in between, and a second one whose place is the same. */
    @Test
    void shouldNotTakeTheRestOfOneCommandForThatOfAnother() {
        // given
        fill("a", "b", "c");
        Gathered first = ask(question(PURGE, 1));

        // when
        boolean isOfOtherKnown = candidates.search(behind(first, "c-2", 1), T0).run(T0, spent());
        boolean isOfOwnKnown = candidates.search(behind(first, "c-1", 1), T0).run(T0, spent());

        // then
        assertThat(List.of(isOfOtherKnown, isOfOwnKnown)).containsExactly(false, false);
    }

    @Test
    void shouldNotTakeTheRestForThatBehindAnotherPlace() {
        // given
        fill("a", "b", "c");
        ask(question(PURGE, 1));

        // when
        Search elsewhere = candidates.search(new Gather(request("c-1", PURGE), candidate("b"), 1), T0);

        // then
        assertThat(elsewhere.run(T0, spent())).isFalse();
    }

    /** Each is named once, and only the last page says that it is the last. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void shouldNameAllStreamsThoughASearchFindsThreeAtMost(int streams) {
        // given
        candidates = new Candidates(fixture.context, fixture.parts.searches(), 3);
        IntStream.range(0, streams).forEach(i -> complete("s" + i, T0 - streams + i));

        // when
        List<String> named = new ArrayList<>();
        List<Boolean> last = new ArrayList<>();
        Gather question = question(PURGE, 1);
        for (int pages = 0; pages < streams; pages++) {
            Gathered page = ask(question);
            named.addAll(names(page));
            last.add(page.isLast());
            question = behind(page, "c-1", 1);
        }

        // then
        assertThat(named)
                .containsExactlyElementsOf(
                        IntStream.range(0, streams).mapToObj(i -> "s" + i).toList());
        assertThat(last.indexOf(true)).isEqualTo(streams - 1);
    }

    /** A search finds as many as it may, so that the pages behind the first cost no other look at all streams. */
    @Test
    void shouldFindAsManyAtOnceAsItMay() {
        // given
        candidates = new Candidates(fixture.context, fixture.parts.searches(), 3);
        fill("a", "b", "c");
        Gathered first = ask(question(PURGE, 1));

        // when
        Gathered second = ask(behind(first, "c-1", 1));
        Search third = candidates.search(behind(second, "c-1", 1), T0);

        // then
        assertThat(third.run(T0, spent())).isTrue();
        assertThat(names(third.answer())).containsExactly("c");
    }

    /** Strictly before (M-13); a stream of which nothing was ever completed does not match. */
    @ParameterizedTest
    @Tag("M-13")
    @CsvSource({"-1, true", "0, false", "1, false"})
    void shouldTakeStreamsThatWereCompletedBefore(long afterMs, boolean isTaken) {
        // given
        complete("s", T0 + afterMs);
        fixture.state.event(event("open", "a").status("pending"));
        Command prune = prune(filter(T0, null), true);

        // when
        Gathered answer = ask(question(prune, 10));

        // then
        assertThat(names(answer)).isEqualTo(isTaken ? List.of("s") : List.of());
    }

    @Test
    @Tag("M-13")
    void shouldTakeAStreamThatWasCompletedAtTheBeginningOfAllTimes() {
        // given
        complete("s", 0);

        // when
        Gathered answer = ask(question(new Command.PurgeStreams(filter(1L, null)), 10));

        // then
        assertThat(answer.candidates()).containsExactly(new Candidate("s", 0));
    }

    /**
     * A candidate takes its name and fifty bytes, and one with a parent the verdict on its ancestors as well, which names
     * the stream, its parent and a third one of up to 256 characters.
     */
    @ParameterizedTest
    @Tag("O-20")
    @CsvSource({
        "a, 109, 1",
        "a, 110, 2",
        "a, 111, 2",
        "a, 1, 1",
        "parent, 1317, 1",
        "parent, 1318, 2",
        "parent, 1319, 2",
    })
    void shouldNameNoMoreThanFitsIntoARecord(String kind, int bytes, int expected) {
        // given a list that may take so many bytes in each of two partitions
        fixture = new WorkFixture(8 * 2 * bytes, 2);
        candidates = fixture.parts.candidates();
        for (String name : List.of(kind.equals("a") ? "a/1" : "k", kind.equals("a") ? "a/2" : "l", "z")) {
            complete(name, T0);
            if (kind.equals("parent") && !name.equals("z")) {
                belongsTo(name, "p");
            }
        }

        // when
        Gathered answer = ask(question(prune(filter(null, null), true), 10));

        // then
        assertThat(answer.candidates()).hasSize(expected);
        assertThat(answer.isLast()).isFalse();
    }

    /** Each stream is a step, and the search goes on with the stream at which the budget ended it. */
    @Test
    @Tag("O-2")
    void shouldEndASliceWithItsBudget() {
        // given
        fill("a", "b", "c");
        Search search = candidates.search(question(PURGE, 10), T0);

        // when
        List<Boolean> over = new ArrayList<>();
        over.add(search.run(T0, spent()));
        for (int slices = 0; slices < 3; slices++) {
            over.add(search.run(T0, oneStep()));
        }

        // then
        assertThat(over).containsExactly(false, false, false, true);
        assertThat(search.isWaiting()).isFalse();
        assertThat(names(search.answer())).containsExactly("a", "b", "c");
    }

    /** The search for the completion of a stream whose last event has gone has a budget too. */
    @Test
    @Tag("O-2")
    void shouldFindTheCompletionOfAStreamInSlices() {
        // given
        for (int i = 0; i < 100; i++) {
            fixture.state.event(event("s", "e" + i).completedAt(T0 - 200 + i));
        }
        fixture.state.remove("s", "e99");
        Search search = candidates.search(question(PURGE, 10), T0);

        // when
        int slices = 1;
        while (!search.run(T0, oneStep()) && slices < 1000) {
            assertThat(search.isWaiting()).isFalse();
            slices++;
        }

        // then
        assertThat(slices).isBetween(3, 200);
        assertThat(search.answer().candidates()).containsExactly(new Candidate("s", T0 - 200 + 98));
    }

    @Test
    @Tag("I-3")
    void shouldWaitForTheRecountOfAStream() {
        // given
        fill("a", "b");
        fixture.stream("a").suspect("the test says so");
        Search search = candidates.search(question(PURGE, 10), T0);

        // when
        boolean isOver = search.run(T0, budget());

        // then
        assertThat(isOver).isFalse();
        assertThat(search.isWaiting()).isTrue();

        // and goes on behind it
        fixture.stream("a").trust();
        assertThat(search.run(T0, budget())).isTrue();
        assertThat(search.isWaiting()).isFalse();
        assertThat(names(search.answer())).containsExactly("a", "b");
    }

    @Test
    void shouldPassByAStreamThatIsGoneWhenItsTurnComes() {
        // given
        fill("a", "b");
        Search search = candidates.search(question(PURGE, 10), T0);
        search.run(T0, spent());

        // when
        fixture.state.retire("a");

        // then
        assertThat(search.run(T0, budget())).isTrue();
        assertThat(names(search.answer())).containsExactly("b");
    }

    /** A quarantined one, a held one and an open one, which the first page alone counts. */
    @Test
    @Tag("O-10")
    void shouldCountSkippedStreamsOnce() {
        // given
        fill("a", "b", "quarantined");
        fixture.state.event(event("open", "e").status("pending"));
        fixture.state.store.quarantine(fixture.stream("quarantined"), new Quarantine("bang", T0));

        // when
        Gathered first = ask(question(PURGE, 1));
        Gathered anew = ask(new Gather(request("c-2", PURGE), candidate("a"), 10));

        // then
        assertThat(first.skipped().streamsSkipped()).isEqualTo(Map.of(Refusal.NOT_READY, 1L, Refusal.STREAM_OPEN, 1L));
        assertThat(first.skipped().streamsProcessed()).isEqualTo(2);
        assertThat(anew.skipped()).isEqualTo(Deleted.NOTHING);
        assertThat(names(anew)).containsExactly("b");
    }

    /** The failure stays with its stream: it is quarantined and skipped, and the search goes on. */
    @Test
    @Tag("I-3")
    void shouldSkipAStreamThatCannotBeLookedAt() {
        // given
        fixture.state.event(event("damaged", "a").completedAt(T0 - 9));
        complete("damaged", T0 - 8);
        fill("b");
        fixture.state.remove("damaged", "e");
        fixture.damageEventsOf("damaged");

        // when
        Gathered answer = ask(question(PURGE, 10));

        // then
        assertThat(names(answer)).containsExactly("b");
        assertThat(answer.skipped().streamsSkipped()).isEqualTo(Map.of(Refusal.FAILED, 1L));
        assertThat(fixture.failed).containsExactly("damaged");
    }

    /** Only a purge expects the streams that it names, and only its first page tells of them. */
    @Test
    void shouldTellOfStreamsThatDoNotExist() {
        // given
        fixture = new WorkFixture(1 << 20, 1);
        candidates = fixture.parts.candidates();
        fill("here");
        List<StreamName> names = new ArrayList<>(List.of(new StreamName("here")));
        IntStream.rangeClosed(10, 20).forEach(i -> names.add(new StreamName("gone" + i)));
        StreamFilter filter = new StreamFilter(names, null, null, 100, false);

        // when
        Gathered purged = ask(question(new Command.PurgeStreams(filter), 10));
        Gathered next = ask(new Gather(request("c-2", new Command.PurgeStreams(filter)), new Candidate("a", 0), 10));
        Gathered pruned = ask(question(prune(filter, true), 10));

        // then
        assertThat(purged.skipped()).isEqualTo(Outcomes.deleted(11, 0, 0, 0, 0, 0, Map.of(Refusal.NOT_FOUND, 11L)));
        assertThat(purged.missing())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(10, 19).mapToObj(i -> "gone" + i).toList());
        assertThat(List.of(next.skipped(), pruned.skipped())).containsOnly(Deleted.NOTHING);
        assertThat(next.missing()).isEmpty();
        assertThat(pruned.missing()).isEmpty();
    }

    /** Events that come behind the turn of a stream may put it behind those that the command has still to look for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNameAStreamOnceHoweverItGoesOn(boolean isRestarted) {
        // given two prunes that take turns at one stream
        fill("a", "b");
        Command prune = prune(filter(null, null), true);
        for (String commandId : List.of("c-1", "c-2")) {
            ask(new Gather(request(commandId, prune), null, 1));
            searches().took(commandId, 1, List.of("a"));
        }

        // when
        complete("a", T0);
        if (isRestarted) {
            candidates = WorkParts.of(fixture.context).candidates();
        }

        // then
        Candidate after = new Candidate("a", T0 - 100);
        assertThat(names(ask(new Gather(request("c-1", prune), after, 10)))).containsExactly("b");
        assertThat(names(ask(new Gather(request("c-2", prune), after, 10)))).containsExactly("b");
        assertThat(names(ask(new Gather(request("c-3", prune), after, 10)))).containsExactly("b", "a");
    }

    /** A new stream of an old name is no concern of a command that began before (O-10). */
    @ParameterizedTest
    @Tag("O-10")
    @ValueSource(booleans = {false, true})
    void shouldNameNoStreamThatBeganAfterTheSearch(boolean isRestarted) {
        // given
        fill("a", "b");
        ask(question(PURGE, 1));

        // when
        fixture.state.retire("a");
        complete("a", T0);
        complete("c", T0);
        if (isRestarted) {
            candidates = WorkParts.of(fixture.context).candidates();
        }

        // then
        Candidate after = new Candidate("a", T0 - 100);
        assertThat(names(ask(new Gather(request("c-1", PURGE), after, 10)))).containsExactly("b");
        assertThat(names(ask(question(PURGE, 10)))).as("another pass").containsExactly("b");
        assertThat(names(ask(new Gather(request("c-2", PURGE), null, 10)))).containsExactly("b", "a", "c");
    }

    /** A command that counts first takes all streams again in its second pass. */
    @Test
    @Tag("T-6")
    void shouldNameTheStreamsOfAFormerPassAgain() {
        // given
        fill("a", "b");
        ask(question(PURGE, 1));
        searches().took("c-1", 1, List.of("a", "gone"));

        // when
        Gathered again = ask(question(PURGE, 10));

        // then
        assertThat(names(again)).containsExactly("a", "b");
        candidates = WorkParts.of(fixture.context).candidates();
        assertThat(names(ask(new Gather(request("c-1", PURGE), new Candidate("0", 0), 10))))
                .containsExactly("a", "b");
    }

    /** A search that has ended, or whose end was never told, leaves no note for ever. */
    @Test
    void shouldForgetASearchThatHasEnded() {
        // given
        fill("a", "b");
        Map<String, byte[]> notes = fixture.state.store.pending();
        for (String commandId : List.of("c/1", "c/2", "c/3")) {
            ask(new Gather(request(commandId, PURGE), null, 1));
            searches().took(commandId, 7, List.of("a"));
        }
        assertThat(notes).hasSize(6);

        // when
        searches().end("c/1");
        searches().end("c/4");

        // then
        assertThat(notes.keySet())
                .containsExactlyInAnyOrder("search/c/2", "search/c/3", "searched/7/c/2", "searched/7/c/3");

        // when
        searches().endThoseBefore(T0, id -> false);
        assertThat(notes).hasSize(4);
        searches().endThoseBefore(T0 + 1, id -> true);
        assertThat(notes).hasSize(4);
        searches().endThoseBefore(T0 + 1, id -> false);

        // then
        assertThat(notes).isEmpty();
    }

    /** A command may run for longer than a search is kept: each sign of it keeps its search. */
    @Test
    @Tag("O-10")
    void shouldKeepTheSearchOfACommandThatIsHeardOf() {
        // given
        fill("a", "b");
        ask(new Gather(request("c-1", PURGE), null, 1));
        long laterMs = T0 + Duration.ofDays(3).toMillis();

        // when
        assertThat(searches().isOpen("c-1", laterMs)).isTrue();
        candidates = WorkParts.of(fixture.context).candidates();
        searches().endThoseBefore(laterMs, id -> false);

        // then
        assertThat(searches().isOpen("c-1", laterMs)).isTrue();
        searches().endThoseBefore(laterMs + 1, id -> false);
        assertThat(searches().isOpen("c-1", laterMs)).isFalse();
    }

    private OpenSearches searches() {
        return fixture.parts.searches();
    }

    private void fill(String... streams) {
        for (int i = 0; i < streams.length; i++) {
            complete(streams[i], T0 - 100 + i);
        }
    }

    private void complete(String stream, long completedMs) {
        fixture.state.event(event(stream, "e").completedAt(completedMs));
    }

    private void belongsTo(String stream, String parent) {
        fixture.state.execution(
                new ExecutionUpdate(new StreamName(stream), 1, "completed", new StreamName(parent), null, T0), T0);
    }

    private Gathered ask(Gather question) {
        Search search = candidates.search(question, T0);
        assertThat(search.run(T0, budget())).isTrue();
        return search.answer();
    }

    private Candidate candidate(String stream) {
        return new Candidate(stream, fixture.state.store.completionMs(fixture.stream(stream)));
    }

    private static Gather question(Command command, int limit) {
        return new Gather(request("c-1", command), null, limit);
    }

    private static Gather behind(Gathered page, String commandId, int limit) {
        return new Gather(
                request(commandId, PURGE),
                page.candidates().get(page.candidates().size() - 1),
                limit);
    }

    private static CommandRequest request(String commandId, Command command) {
        return CommandFixture.request(commandId, command);
    }

    private static Command prune(StreamFilter filter, boolean includesOpen) {
        return new Command.PruneStreams(filter, new PruneCondition(1L, null), includesOpen);
    }

    private static StreamFilter filter(@Nullable Long completedBeforeMs, @Nullable String namespace) {
        return new StreamFilter(null, completedBeforeMs, namespace, 100, true);
    }

    private static List<String> names(Gathered answer) {
        return answer.candidates().stream().map(Candidate::stream).toList();
    }
}
