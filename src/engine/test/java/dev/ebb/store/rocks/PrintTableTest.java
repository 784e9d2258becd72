package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintTableTest {

    private static final int PRINTS = 1 << PrintTable.PRINT_BITS;

    @Test
    void shouldHoldWhatAModelHoldsInTablesOfAnySize() {
        SeededCases.forAFew(100, random -> {
            PrintTable table = new PrintTable(1 + random.nextInt(200));
            List<Integer> model = new ArrayList<>();
            int[] prints = someOf(random, table.homes());
            for (int step = 0; step < 400; step++) {
                int print = prints[random.nextInt(prints.length)];
                if (random.nextInt(5) < 3) {
                    if (table.add(print)) {
                        model.add(print);
                    }
                } else {
                    table.remove(print);
                    model.remove((Integer) print);
                }
                if (random.nextInt(40) == 0) {
                    PrintTable other = table.withHomes(1 + random.nextInt(400));
                    table = other == null ? table : other;
                }
                assertSame(model, table, prints);
            }
            for (int print : List.copyOf(model)) {
                table.remove(print);
                model.remove((Integer) print);
                assertSame(model, table, prints);
            }
        });
    }

    /** Some prints that lie close together, some alike, and those at both ends. */
    private static int[] someOf(Random random, int homes) {
        int[] prints = new int[20 + random.nextInt(200)];
        for (int i = 0; i < prints.length; i++) {
            prints[i] = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(PRINTS);
                case 1 -> PRINTS - 1 - random.nextInt(1 + PRINTS / homes);
                case 2 -> random.nextInt(1 + PRINTS / homes);
                default -> prints[random.nextInt(i + 1)] ^ random.nextInt(4);
            };
        }
        return prints;
    }

    private static void assertSame(List<Integer> model, PrintTable table, int[] prints) {
        assertThat(table.size()).isEqualTo(model.size());
        for (int print : prints) {
            if (table.contains(print) != model.contains(print)) {
                assertThat(table.contains(print)).as("print %d", print).isEqualTo(model.contains(print));
            }
        }
    }

    @Test
    void shouldTellApartAllPrintsOfOneHome() {
        PrintTable table = new PrintTable(3);
        table.add(PRINTS / 3 + 7);

        assertThat(table.contains(PRINTS / 3 + 6)).isFalse();
        assertThat(table.contains(PRINTS / 3 + 7)).isTrue();
        assertThat(table.contains(PRINTS / 3 + 8)).isFalse();
    }

    /** 16 homes have 16 slots behind them, so the last of them takes 17 prints. */
    @ParameterizedTest
    @ValueSource(ints = {16, 17, 18})
    void shouldRefuseWhatDoesNotFitBehindTheLastHome(int count) {
        PrintTable table = new PrintTable(16);
        int added = 0;

        for (int i = 0; i < count; i++) {
            added += table.add(PRINTS - 1 - i) ? 1 : 0;
        }

        assertThat(added).isEqualTo(Math.min(count, 17));
        assertThat(table.size()).isEqualTo(added);
        assertThat(table.withHomes(8) == null)
                .as("8 homes have room for 9 of them")
                .isTrue();
        assertThat(table.withHomes(32)).isNotNull();
    }

    @Test
    void shouldKeepAPrintAsOftenAsItWasAdded() {
        PrintTable table = new PrintTable(16);
        table.add(5);
        table.add(5);

        table.remove(5);
        assertThat(table.contains(5)).isTrue();
        table.remove(5);
        assertThat(table.contains(5)).isFalse();
        table.remove(5);
        assertThat(table.size()).isZero();
    }

    /** Of 1024 tables each has 58,594 of 60 million. */
    @Test
    @Tag("A-8")
    @Tag("B-20")
    void shouldHoldItsPartOfSixtyMillionInItsPartOf128MiB() {
        int count = 60_000_000 / 1024 + 1;
        int homes = count * 8 / 7 + 1;
        PrintTable table = new PrintTable(homes);
        int[] prints = new Random(20_261_125).ints(count, 0, PRINTS).toArray();

        assertThat(Arrays.stream(prints).allMatch(table::add)).isTrue();

        assertThat(PrintTable.bytesOf(homes)).isLessThan((128 << 20) / 1024);
        assertThat(Arrays.stream(prints).allMatch(table::contains)).isTrue();
    }
}
