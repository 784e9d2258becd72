package dev.ebb.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T-6")
class PlanDigestTest {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    @Test
    void shouldDependOnNoOrderAndOnNoPartition() {
        // given
        List<PlanDigest> events = new ArrayList<>(events(500));

        // when
        PlanDigest inOrder = sum(events);
        Collections.shuffle(events, new Random(7));
        PlanDigest inTwoParts = sum(events.subList(0, 123)).plus(sum(events.subList(123, 500)));

        // then
        assertThat(inTwoParts).isEqualTo(inOrder);
        assertThat(inOrder.events()).isEqualTo(500);
    }

    @Test
    void shouldAddLikeNumbersModuloTwoToThe256() {
        // given
        List<PlanDigest> events = events(2000);

        // when
        BigInteger sum = events.stream().map(PlanDigestTest::number).reduce(BigInteger.ZERO, BigInteger::add);

        // then
        assertThat(number(sum(events))).isEqualTo(sum.mod(MODULUS));
    }

    @Test
    void shouldCarryThroughAllParts() {
        PlanDigest most = new PlanDigest(1, -1, -1, -1, -1);
        PlanDigest one = new PlanDigest(1, 0, 0, 0, 1);

        assertThat(most.plus(one)).isEqualTo(new PlanDigest(2, 0, 0, 0, 0));
        assertThat(most.plus(most)).isEqualTo(new PlanDigest(2, -1, -1, -1, -2));
    }

    @Test
    void shouldTakeEventsOutAgain() {
        List<PlanDigest> events = events(100);

        assertThat(sum(events).minus(sum(events.subList(0, 60)))).isEqualTo(sum(events.subList(60, 100)));
    }

    @Test
    void shouldTellApartStreamIdAndTime() {
        assertThat(List.of(of("ab", "c", 1), of("a", "bc", 1), of("ab", "c", 2), of("abc", "", 1)))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldWriteTheSumInHexadecimalDigits() {
        assertThat(new PlanDigest(1, 0xffL, 0, -1, 1).text())
                .isEqualTo("00000000000000ff" + "0000000000000000" + "ffffffffffffffff" + "0000000000000001");
    }

    private static List<PlanDigest> events(int count) {
        List<PlanDigest> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(of("orders/" + i % 7, "e-" + i, 1_000 + i));
        }
        return events;
    }

    private static PlanDigest of(String stream, String id, long storedAtMs) {
        return PlanDigest.of(new StreamName(stream), id, storedAtMs);
    }

    private static PlanDigest sum(List<PlanDigest> events) {
        return events.stream().reduce(PlanDigest.NOTHING, PlanDigest::plus);
    }

    private static BigInteger number(PlanDigest digest) {
        return new BigInteger(digest.text(), 16);
    }
}
