package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.read.EventPage;
import dev.ebb.store.read.StatusFilter;
import dev.ebb.store.read.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads made for a list of one status. */
@Tag("M-3")
class StatusListTest {

    private static final StreamName S = new StreamName("s");

    private final StoreFixture fixture = new StoreFixture();
    private TerminalStatuses statuses = TerminalStatuses.DEFAULT;

    @ParameterizedTest
    @ValueSource(strings = {"running", "RunninG"})
    void shouldReadNothingThatMayGoForAStatusThatProtects(String status) {
        // given
        put(10_000, "completed");
        put(3, "running");
        fixture.resetCounts();

        // when
        List<String> ids = visited(status, null);

        // then
        assertThat(ids).containsExactly("running-0", "running-1", "running-2");
        assertThat(fixture.operations()).isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "COMPLETED"})
    void shouldReadNothingThatIsProtectedForATerminalStatus(String status) {
        // given
        put(500, "running");
        put(3, "completed");
        fixture.resetCounts();

        // when
        List<String> ids = visited(status, null);

        // then
        assertThat(ids).containsExactly("completed-0", "completed-1", "completed-2");
        assertThat(fixture.operations()).isLessThan(10);
    }

    @Test
    void shouldReadNothingThatIsProtectedForNoStatus() {
        put(1, "running");
        fixture.event(event("s", "fact"));

        assertThat(visited("", null)).containsExactly("fact");
    }

    /** A short page costs what is on it: no event is read before its turn, but the first of each range. */
    @Test
    @Tag("I-6")
    void shouldReadNoMoreThanIsAskedFor() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        put(100, "completed");
        put(100, "running");
        for (int i = 0; i < 100; i++) {
            fixture.event(event("s", "t" + i).ttlSeconds(9999));
            fixture.event(event("s", "i" + i).noExpiration());
        }
        fixture.resetCounts();

        // when
        EventPage page = fixture.reader().list(S, null, 5);

        // then
        assertThat(page.events()).hasSize(5);
        assertThat(fixture.operations()).isLessThan(20);
    }

    /** A page of one status goes on where a page of another, or of all, ended. */
    @Test
    void shouldTakeTheCursorOfAnyPage() {
        // given
        put(2, "completed");
        put(2, "running");
        String atSecond = fixture.reader().list(S, null, 1).nextCursor();
        String atFirstProtected = fixture.reader().list(S, null, 2).nextCursor();
        String atSecondProtected = fixture.reader().list(S, null, 3).nextCursor();

        // then
        assertThat(visited("completed", atSecond)).containsExactly("completed-1");
        assertThat(visited("completed", atFirstProtected)).isEmpty();
        assertThat(visited("completed", atSecondProtected)).isEmpty();
        assertThat(visited("running", atSecond)).containsExactly("running-0", "running-1");
        assertThat(visited("running", atFirstProtected)).containsExactly("running-0", "running-1");
        assertThat(visited("running", atSecondProtected)).containsExactly("running-1");
        assertThatThrownBy(() -> visited("running", "zz")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Between a start with other statuses and the end of the move an event may lie in either place. */
    @Test
    @Tag("A-7")
    void shouldFindWhatOtherTerminalStatusesHaveNotSortedYet() {
        // given
        put(150, "completed");
        put(150, "running");

        // when
        statuses = new TerminalStatuses(List.of("running"));
        requireAll();
        fixture.reopen(statuses);
        requireAll();
        fixture.begin();

        // then
        requireAllWhileMoving(Integer.MAX_VALUE);
        fixture.events.dropTombstones();
        fixture.resetCounts();
        assertThat(visited("completed", null)).hasSize(150);
        assertThat(fixture.operations()).isLessThan(160);
    }

    /** Back to the statuses that the stream was sorted by before the move: what has moved has to come back. */
    @Test
    @Tag("A-7")
    void shouldFindWhatTheFormerTerminalStatusesHaveNotSortedBack() {
        // given
        put(150, "completed");
        put(150, "running");
        statuses = new TerminalStatuses(List.of("running"));
        fixture.reopen(statuses);
        fixture.begin();
        requireAllWhileMoving(3);

        // when
        statuses = TerminalStatuses.DEFAULT;
        fixture.reopen(statuses);
        fixture.begin();

        // then
        requireAllWhileMoving(Integer.MAX_VALUE);
    }

    private void requireAllWhileMoving(int slices) {
        assertThat(fixture.store.movingStreams()).isEqualTo(1);
        for (int i = 0; i < slices && fixture.store.movingStreams() > 0; i++) {
            requireAll();
            fixture.moveSlice();
        }
        requireAll();
    }

    private void requireAll() {
        for (String status : List.of("completed", "running")) {
            assertThat(visited(status, null).stream().filter(id -> id.startsWith(status)))
                    .as(status)
                    .hasSize(150)
                    .doesNotHaveDuplicates();
        }
    }

    private void put(int count, String status) {
        for (int i = 0; i < count; i++) {
            fixture.event(event("s", status + "-" + i).status(status));
        }
    }

    private List<String> visited(String status, String cursor) {
        List<String> ids = new ArrayList<>();
        StreamContext context = fixture.reader().context(S).orElseThrow();
        context.visit(new StatusFilter(status, statuses), cursor, stored -> {
            ids.add(stored.event().id().value());
            return true;
        });
        return ids;
    }
}
