package dev.ebb.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {

    private final StringWriter out = new StringWriter();
    private final PrintWriter writer = new PrintWriter(out);

    @Test
    void shouldAlignColumns() {
        // when
        new Table()
                .left("NAME")
                .right("EVENTS")
                .row("a", "1")
                .row("long name", "1,000")
                .print(terminal(80, false));

        // then
        assertThat(out.toString()).isEqualToNormalizingNewlines("""
                NAME       EVENTS
                a               1
                long name   1,000
                """);
    }

    @Test
    void shouldAlignWideAndCombiningCharacters() {
        // when
        new Table()
                .left("")
                .left("")
                .row("\uD83D\uDE00\uD83D\uDE00", "|")
                .row("e\u0301e\u0301ee", "|")
                .row("abcd", "|")
                .print(terminal(80, false));

        // then
        assertThat(out.toString()).isEqualToNormalizingNewlines("""
                \uD83D\uDE00\uD83D\uDE00  |
                e\u0301e\u0301ee  |
                abcd  |
                """);
    }

    @Test
    void shouldEscapeCharactersThatATerminalWouldActUpon() {
        // when
        new Table().left("").row("a\u001b[31mb\n\u009b\u202e").print(terminal(80, true));

        // then
        assertThat(out.toString()).isEqualToNormalizingNewlines("a\\u001b[31mb\\u000a\\u009b\\u202e\n");
    }

    @Test
    void shouldGoOnInTheNextLineWhereATableWouldBeTooWide() {
        // given
        Table table = new Table()
                .left("NAME")
                .right("N")
                .wrapped("RULES", 24)
                .row("a".repeat(60), 1, "one=1 ".repeat(30).strip())
                .row("b", 2, "x".repeat(70))
                .row("c", 3, "");

        // when
        List<String> wide = table.lines(terminal(Integer.MAX_VALUE, false));
        List<String> narrow = table.lines(terminal(40, false));

        // then
        assertThat(wide).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
        assertThat(wide.get(1)).startsWith("a".repeat(60) + "  1  one=1 one=1");
        assertThat(wide.get(2)).startsWith(" ".repeat(60) + "     one=1 one=1");
        assertThat(String.join(" ", wide).split("one=1", -1)).hasSize(31);
        assertThat(String.join("", wide).replaceAll("[^x]", "")).hasSize(70);
        assertThat(narrow).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(40));
        assertThat(String.join("", narrow).replaceAll("[^x]", "")).hasSize(70);
    }

    @Test
    void shouldCutWidestColumnOnNarrowTerminal() {
        // when
        new Table().left("").left("").row("x".repeat(50), "short").print(terminal(30, false));

        // then
        assertThat(out.toString().stripTrailing()).isEqualTo("x".repeat(22) + "…  short");
    }

    @Test
    void shouldNotCutTextForAProgram() {
        // when
        new Table().left("").row("x".repeat(5000)).print(Terminal.plain(writer, writer));

        // then
        assertThat(out.toString()).contains("x".repeat(5000));
    }

    @Test
    void shouldColourOnlyWhereColoursAreShown() {
        // given
        Table table = new Table().left("").row(new Table.Cell("x", Style.RED));

        // then
        assertThat(table.lines(terminal(80, false))).containsExactly("x");
        assertThat(table.lines(terminal(80, true))).containsExactly("\u001b[31mx\u001b[0m");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "1023,1023 B",
        "1024,1.0 KiB",
        "1536,1.5 KiB",
        "1048576,1.0 MiB",
        "9223372036854775807,8192.0 PiB"
    })
    void shouldWriteBytesInFittingUnits(long bytes, String text) {
        assertThat(Texts.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"-1,░░░░", "0,░░░░", "0.5,██░░", "1,████", "7,████"})
    void shouldDrawBars(double part, String bar) {
        assertThat(Progress.bar(part, 4)).isEqualTo(bar);
    }

    private Terminal terminal(int columns, boolean hasColours) {
        return new Terminal(writer, writer, true, true, hasColours, columns, 30);
    }
}
