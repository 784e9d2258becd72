package dev.ebb.store.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import dev.ebb.store.gather.EventLog.Known;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves a transaction of what has changed within it. */
@Tag("A-4")
class GatheredTest {

    private static final Headers HEADERS = new RecordHeaders().add("cause", new byte[] {1});

    private final List<String> sent = new ArrayList<>();
    private final Gathered gathered = gathered(1_000_000);

    @Test
    void shouldSendNothingOfAKeyThatComesAndGoes() {
        add("a", "1", true);
        add("b", "2", true);
        add("a", null, false);

        gathered.sendAll();

        assertThat(sent).containsExactly("b=2");
    }

    @Test
    void shouldSendTheLastChangeOfEachKeyInTheOrderOfTheseChanges() {
        add("a", "1", true);
        add("b", "2", false);
        add("a", "3", false);

        gathered.sendAll();

        assertThat(sent).containsExactly("b=2", "a=3");
    }

    @Test
    void shouldSendTimestampAndHeadersOfTheLastChange() {
        List<Object> seen = new ArrayList<>();
        Gathered one = new Gathered(1000, (key, value, timestampMs, headers) -> {
            seen.add(timestampMs);
            seen.add(headers);
        });
        one.add(utf8("a"), utf8("1"), 5, new RecordHeaders(), true);
        one.add(utf8("a"), utf8("2"), 7, HEADERS, false);

        one.sendAll();

        assertThat(seen).containsExactly(7L, HEADERS);
    }

    @Test
    void shouldSendValueAndTombstoneOfAKeyThatGoesAfterTheCommit() {
        add("a", "1", true);
        gathered.sendAll();
        add("a", null, false);
        gathered.sendAll();

        assertThat(sent).containsExactly("a=1", "a=null");
    }

    @Test
    void shouldSendTheTombstoneOfAKeyThatWasThereBefore() {
        add("a", "2", false);
        add("a", null, false);

        gathered.sendAll();

        assertThat(sent).containsExactly("a=null");
    }

    /** A sweep consists of such deletions, and nothing can take them back. */
    @Test
    void shouldLetNoDeletionOfAKnownKeyWait() {
        add("b", "1", true);
        add("a", null, false);

        assertThat(sent).containsExactly("a=null");
        assertThat(gathered.known(utf8("b"))).isEqualTo(Known.NOT_AT_ALL);
    }

    @Test
    void shouldPassAChangeOnBehindTheOneThatWaits() {
        add("b", "1", true);
        add("a", "1", true);

        gathered.pass(utf8("a"), utf8("2"), 0, HEADERS);

        assertThat(sent).containsExactly("a=1", "a=2");
    }

    @Test
    void shouldSendTheTombstoneOfAKeyThatWasPassedOn() {
        gathered.pass(utf8("a"), utf8("2"), 0, HEADERS);
        add("a", null, false);

        assertThat(sent).containsExactly("a=2", "a=null");
        assertThat(gathered.known(utf8("a"))).isEqualTo(Known.AS_IT_IS);
    }

    @Test
    void shouldRememberThatAKeyWasThereWhenItComesAnew() {
        add("a", null, false);
        add("a", "2", true);
        add("a", null, false);

        gathered.sendAll();

        assertThat(sent).containsExactly("a=null");
    }

    @Test
    void shouldSendNothingOfAKeyThatComesAndGoesTwice() {
        add("a", "1", true);
        add("a", null, false);
        add("a", "2", true);
        add("a", null, false);

        gathered.sendAll();

        assertThat(sent).isEmpty();
    }

    @Test
    void shouldForgetWhatIsAborted() {
        add("a", "1", true);
        gathered.clear();
        add("a", null, false);

        gathered.sendAll();

        assertThat(sent).containsExactly("a=null");
    }

    /** Two changes of one byte each in key and value. */
    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 0", "1, 0"})
    void shouldSendTheOldestWhenThereIsTooMuch(int more, int expected) {
        Gathered bounded = gathered(2 * (Gathered.OVERHEAD_BYTES + 2) + more);
        add(bounded, "a", "1", true);
        add(bounded, "b", "2", true);

        assertThat(sent).hasSize(expected).doesNotContain("b=2");
    }

    @Test
    void shouldSendTheTombstoneOfAKeyThatWasSentForLackOfRoom() {
        Gathered bounded = gathered(Gathered.OVERHEAD_BYTES + 2);
        add(bounded, "a", "1", true);
        add(bounded, "b", "2", true);

        add(bounded, "a", null, false);
        bounded.sendAll();

        assertThat(sent).containsExactly("a=1", "a=null", "b=2");
    }

    @Test
    void shouldMakeRoomWithEachKeyThatGoes() {
        Gathered bounded = gathered(2 * (Gathered.OVERHEAD_BYTES + 2));
        for (int i = 0; i < 10; i++) {
            add(bounded, "a", "1", true);
            add(bounded, "b", "2", true);
            add(bounded, "b", "3", false);
            add(bounded, "a", null, false);
            add(bounded, "b", null, false);
        }

        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, "something else"})
    void shouldLetNothingWaitWithoutTransactions(String guarantee) {
        Gathered unbound = Gathered.of(
                Map.of(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee), 1_000_000, GatheredTest.this::note);
        add(unbound, "a", "1", true);
        add(unbound, "a", null, false);

        assertThat(sent).containsExactly("a=1", "a=null");
    }

    /** Events that stay are sent as they come; the first of them waited to see. */
    @Test
    void shouldLetNothingWaitWhereNothingIsSpared() {
        Gathered roomy = gathered(Integer.MAX_VALUE);
        fill(roomy, "k", Payback.WINDOW - 1);
        assertThat(sent).isEmpty();

        add(roomy, "last", "1", true);
        assertThat(sent).hasSize(Payback.WINDOW).startsWith("k0=1", "k1=1").endsWith("last=1");

        add(roomy, "more", "1", true);
        assertThat(sent).endsWith("more=1");
        assertThat(roomy.known(utf8("more"))).isEqualTo(Known.AS_IT_IS);
    }

    /** One in 16 is enough. */
    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void shouldGoOnWaitingWhereEnoughAreSpared(int more, boolean isWaiting) {
        Gathered roomy = gathered(Integer.MAX_VALUE);
        int spared = Payback.WINDOW / 16 + more;
        fill(roomy, "gone", spared);
        for (int i = 0; i < spared; i++) {
            add(roomy, "gone" + i, null, false);
        }
        fill(roomy, "k", Payback.WINDOW - spared);

        assertThat(roomy.known(utf8("k0"))).isEqualTo(isWaiting ? Known.NOT_AT_ALL : Known.AS_IT_IS);
    }

    @Test
    void shouldWaitAgainWhereKeysComeAndGo() {
        Gathered roomy = gathered(Integer.MAX_VALUE);
        fill(roomy, "k", Payback.WINDOW);
        boolean isWaiting = false;
        for (int i = 0; !isWaiting; i++) {
            assertThat(i).isLessThan(2 * Payback.WINDOW);
            add(roomy, "brief" + i, "1", true);
            isWaiting = roomy.known(utf8("brief" + i)) == Known.NOT_AT_ALL;
            if (!isWaiting) {
                add(roomy, "brief" + i, null, false);
            }
        }
        sent.clear();
        add(roomy, "a", "1", true);
        add(roomy, "a", null, false);

        assertThat(sent).isEmpty();
    }

    /** Changes of two transactions cannot meet. */
    @Test
    void shouldNotWaitForWhatGoesAfterTheCommit() {
        Gathered roomy = gathered(Integer.MAX_VALUE);
        fill(roomy, "k", Payback.WINDOW);
        for (int i = 0; i < 2 * Payback.WINDOW; i++) {
            add(roomy, "brief" + i, "1", true);
            roomy.sendAll();
            add(roomy, "brief" + i, null, false);
        }

        assertThat(roomy.known(utf8("more"))).isEqualTo(Known.AS_IT_IS);
        assertThat(sent).hasSize(5 * Payback.WINDOW);
    }

    private static void fill(Gathered to, String prefix, int keys) {
        for (int i = 0; i < keys; i++) {
            add(to, prefix + i, "1", true);
        }
    }

    /** Whatever is sent early: with what is gathered it always gives the present state, and nothing twice. */
    @Test
    void shouldLeaveReadersWithThePresentState() {
        SeededCases.forAll(300, random -> {
            Map<String, String> readers = new HashMap<>();
            Map<String, String> present = new HashMap<>();
            Gathered any = new Gathered(
                    random.nextInt(2000),
                    (key, value, timestampMs, headers) -> {
                        assertThat(value != null || readers.containsKey(text(key)))
                                .as("tombstone of a key that readers know of")
                                .isTrue();
                        set(readers, text(key), value == null ? null : text(value));
                    },
                    new Payback(Payback.WATCHED_ONE_IN * (1 + random.nextInt(3))));
            for (int step = 0; step < 300; step++) {
                change(any, present, random);
                if (random.nextInt(20) == 0) {
                    any.sendAll();
                    assertThat(readers).isEqualTo(present);
                }
            }
        });
    }

    private static void change(Gathered any, Map<String, String> present, Random random) {
        String key = "k" + random.nextInt(15);
        boolean isThere = present.containsKey(key);
        String value = isThere && random.nextBoolean() ? null : String.valueOf(random.nextInt(1000));
        any.add(utf8(key), value == null ? null : utf8(value), 0, HEADERS, !isThere);
        set(present, key, value);
    }

    private static void set(Map<String, String> state, String key, @Nullable String value) {
        if (value == null) {
            state.remove(key);
        } else {
            state.put(key, value);
        }
    }

    private Gathered gathered(int maxBytes) {
        return new Gathered(maxBytes, this::note);
    }

    private void note(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers) {
        sent.add(text(key) + "=" + (value == null ? null : text(value)));
    }

    private void add(String key, @Nullable String value, boolean isNew) {
        add(gathered, key, value, isNew);
    }

    private static void add(Gathered to, String key, @Nullable String value, boolean isNew) {
        to.add(utf8(key), value == null ? null : utf8(value), 0, HEADERS, isNew);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
