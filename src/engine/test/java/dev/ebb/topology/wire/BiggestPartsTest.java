package dev.ebb.topology.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Outcome.Rest;
import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of many parts the biggest are listed, wherever they come in, and the others are counted. */
@Tag("O-5")
class BiggestPartsTest {

    @ParameterizedTest
    @CsvSource({"999, 999, 0", "1000, 1000, 0", "1001, 1000, 1", "1500, 1000, 500"})
    void shouldListTheBiggest(int found, int listed, long leftOut) {
        // given
        BiggestParts parts = new BiggestParts(Outcome.Parts.NONE, 1 << 20);

        // when the biggest come last
        for (int i = 1; i <= found; i++) {
            parts.add(new Part("s/" + i, RemovalCause.MAX_AGE, i, 1));
        }

        // then
        assertThat(parts.list())
                .hasSize(listed)
                .isSortedAccordingTo((one, other) -> Long.compare(other.events(), one.events()));
        assertThat(parts.list().get(0).events()).isEqualTo(found);
        assertThat(parts.list().get(listed - 1).events()).isEqualTo(leftOut + 1);
        assertThat(parts.all().leftOut()).isEqualTo(leftOut);

        // when another partition answers
        parts.addAll(new Outcome.Parts(List.of(new Part("other", RemovalCause.TTL, 10_000, 1)), 7, List.of()));

        // then
        assertThat(parts.list().get(0).stream()).isEqualTo("other");
        assertThat(parts.list().size() + parts.all().leftOut()).isEqualTo(found + 8L);
        assertThat(parts.list()).hasSizeLessThanOrEqualTo(Outcome.Parts.MAX);
    }

    /** Names of streams are chosen by producers, so there may be as many namespaces as streams. */
    @Test
    void shouldHoldNoMoreNamespacesThanItNeeds() {
        // given
        BiggestParts parts = new BiggestParts(Outcome.Parts.NONE, 100 << 20);
        int namespaces = 5 * BiggestParts.MOST_NAMESPACES;

        // when
        for (int i = 0; i < namespaces; i++) {
            parts.add(new Part("n" + i + "/s", RemovalCause.MAX_AGE, 1 + i % 5000, 1));
        }

        // then
        assertThat(parts.namespaces()).isBetween(BiggestParts.MOST_NAMESPACES / 2, BiggestParts.MOST_NAMESPACES);
        assertThat(parts.list().size() + parts.all().leftOut()).isEqualTo(namespaces);
    }

    /** C-4: sums of namespaces are exact however many parts there are. */
    @Test
    @Tag("C-4")
    void shouldAddUpTheOthersByNamespaceAndCause() {
        // given two partitions, each with far more parts than are listed
        BiggestParts all = new BiggestParts(Outcome.Parts.NONE, 1 << 20);

        // when
        for (int partition = 0; partition < 2; partition++) {
            BiggestParts parts = new BiggestParts(Outcome.Parts.NONE, 1 << 20);
            for (int i = 0; i < 3000; i++) {
                RemovalCause cause = i % 2 == 0 ? RemovalCause.MAX_AGE : RemovalCause.TTL;
                parts.add(new Part("n" + i % 3 + "/" + partition + "-" + i, cause, 1 + i % 7, 10));
            }
            all.addAll(parts.all());
        }

        // then
        assertThat(all.all().leftOut()).isEqualTo(5000);
        assertThat(all.rest())
                .hasSize(6)
                .isSortedAccordingTo((one, other) -> Long.compare(other.events(), one.events()));
        for (int n = 0; n < 3; n++) {
            String namespace = "n" + n;
            for (RemovalCause cause : List.of(RemovalCause.MAX_AGE, RemovalCause.TTL)) {
                int first = n;
                long expected = 2
                        * IntStream.range(0, 3000)
                                .filter(i -> i % 3 == first && (i % 2 == 0) == (cause == RemovalCause.MAX_AGE))
                                .mapToLong(i -> 1 + i % 7)
                                .sum();
                long listed = all.list().stream()
                        .filter(part -> part.stream().startsWith(namespace + "/") && part.cause() == cause)
                        .mapToLong(Part::events)
                        .sum();
                long rest = all.rest().stream()
                        .filter(one -> one.namespace().equals(namespace) && one.cause() == cause)
                        .mapToLong(Rest::events)
                        .sum();
                assertThat(listed + rest).as(namespace + " " + cause).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1999, 999", "2000, 1000", "2001, 1000", "3000, 1000"})
    void shouldListAtMostAThousandSumsOfOthers(int namespaces, int listed) {
        // given
        BiggestParts parts = new BiggestParts(Outcome.Parts.NONE, 1 << 24);

        // when
        for (int i = 1; i <= namespaces; i++) {
            parts.add(new Part("n" + i + "/s", RemovalCause.MAX_AGE, i, 1));
        }

        // then the biggest of the others are there
        assertThat(parts.rest()).hasSize(listed);
        assertThat(parts.rest().get(0).events()).isEqualTo(namespaces - 1000L);
    }

    @Test
    @Tag("O-20")
    void shouldListOnlyAsManySumsAsFit() {
        // given a quarter of the bytes for sums of a bit more than a hundred each
        BiggestParts parts = new BiggestParts(Outcome.Parts.NONE, 4000);

        // when
        for (int i = 100; i < 200; i++) {
            parts.add(new Part("n" + i + "/s", RemovalCause.MAX_AGE, i, 1));
        }

        // then
        assertThat(parts.rest()).hasSize(9);
        assertThat(parts.list().size() + parts.all().leftOut()).isEqualTo(100);
    }
}
