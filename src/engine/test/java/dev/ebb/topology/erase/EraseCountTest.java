package dev.ebb.topology.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.SpentDeletes;
import dev.ebb.serde.text.JsonState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The count of an erasure is saved in one record, and no partition may take more than was judged and spent. */
@Tag("T-15")
class EraseCountTest {

    private static final int PARTITIONS = 12;
    private static final int LONG_NAME = 200;

    private static final CommandRequest REQUEST = new CommandRequest(
            "c-1",
            "anna",
            "why",
            false,
            null,
            new Command.EraseEvents(List.of(EventCondition.parse("metadata.user=42")), null, "case", false),
            null,
            "0/7");

    @ParameterizedTest
    @ValueSource(ints = {999, 1000, 1001, 1500})
    void shouldNameTheLargestLossesAndLimitAllOthersByTheLargestOfTheirs(int namespaces) {
        // given a loss of one event in the first namespace, of two in the next
        List<NamespaceLoss> losses = IntStream.rangeClosed(1, namespaces)
                .mapToObj(lost -> new NamespaceLoss(name(lost), lost, 10_000))
                .toList();
        long all = losses.stream().mapToLong(NamespaceLoss::wouldDelete).sum();

        // when
        EraseCount count = EraseCount.NOTHING.with(0, new BrakeFinding(all, false, 1, losses), 1);
        EraseLimit limit = count.limit(0, 1, REQUEST);

        // then
        long unnamed = Math.max(0, namespaces - 1000);
        assertThat(limit.events()).isEqualTo(all);
        assertThat(limit.namespaces()).hasSize(Math.min(namespaces, 1000) + (unnamed > 0 ? 1 : 0));
        assertThat(limit.in(name(namespaces))).isEqualTo(namespaces);
        assertThat(limit.in(name(unnamed + 1))).isEqualTo(unnamed + 1);
        assertThat(limit.in(name(1))).isEqualTo(Math.max(1, unnamed));
        assertThat(limit.in("another")).isEqualTo(unnamed);
        assertThat(spent(count, "another")).isEqualTo(unnamed);
    }

    /** Twenty namespaces that lose little in each partition are more than the partitions can name. */
    @Test
    void shouldJudgeSmallLossesInManyPartitionsByTheirSum() {
        // given
        int partitions = 400;
        EraseCount count = EraseCount.NOTHING;
        for (int partition = 0; partition < partitions; partition++) {
            List<NamespaceLoss> losses = IntStream.range(0, 20)
                    .mapToObj(number -> new NamespaceLoss(name(number), 105, 10_000))
                    .toList();
            count = count.with(partition, new BrakeFinding(20 * 105, false, 200_000, losses), partitions);
        }

        // then
        assertThat(count.sum().namespaces()).hasSize(20).allSatisfy(loss -> {
            assertThat(loss.wouldDelete()).isEqualTo(partitions * 105L);
            assertThat(loss.stored()).isEqualTo(partitions * 10_000L);
        });
        assertThat(EraseBrake.verdict(
                        REQUEST, count.sum(), new BrakeLimits(20, 10_000, 0), namespace -> SpentDeletes.NOTHING))
                .isNull();
    }

    @Test
    void shouldOrderAsManyAsAreSpentInManyPartitions() {
        // given partitions that have other namespaces, or other losses of the same
        EraseCount count = EraseCount.NOTHING;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            count = count.with(partition, finding(partition), PARTITIONS);
        }

        // then
        List<EraseLimit> limits = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            limits.add(count.limit(partition, PARTITIONS, REQUEST));
        }
        long ordered = limits.stream().mapToLong(EraseLimit::events).sum();
        assertThat(ordered).isEqualTo(count.sum().wouldDelete());
        for (int i = 0; i < 1200; i++) {
            String name = name(i);
            assertThat(counted(i)).as(name).isLessThanOrEqualTo(spent(count, name));
            assertThat(counted(3, i)).as(name).isLessThanOrEqualTo(limits.get(3).in(name));
        }
        assertThat(limits.get(3).events()).isEqualTo(finding(3).wouldDelete());
        assertThat(count.sum().namespaces()).hasSizeLessThanOrEqualTo(EraseCount.MOST_NAMED + 1);
        assertThat(JsonState.write(count)).hasSizeLessThan(1000 * 1000);
    }

    private static BrakeFinding finding(int partition) {
        List<NamespaceLoss> losses = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < 1001; i++) {
            long lost = (i * 7L + partition * 13L) % 50;
            losses.add(new NamespaceLoss(name(i + partition * 10L), lost, 100));
            sum += lost;
        }
        return new BrakeFinding(sum, false, 100_000, losses);
    }

    private static long counted(int number) {
        return IntStream.range(0, PARTITIONS)
                .mapToLong(partition -> counted(partition, number))
                .sum();
    }

    private static long counted(int partition, int number) {
        return finding(partition).namespaces().stream()
                .filter(loss -> loss.namespace().equals(name(number)))
                .mapToLong(NamespaceLoss::wouldDelete)
                .sum();
    }

    /** Returns the number that the hour notes for a namespace: its own, or that of the others. */
    private static long spent(EraseCount count, String namespace) {
        long others = 0;
        for (NamespaceLoss loss : count.sum().namespaces()) {
            if (loss.namespace().equals(namespace)) {
                return loss.wouldDelete();
            }
            others = loss.namespace().equals(NamespaceLoss.OTHERS) ? loss.wouldDelete() : others;
        }
        return others;
    }

    private static String name(long number) {
        return "n" + number + "-" + "x".repeat(LONG_NAME);
    }
}
