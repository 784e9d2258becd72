package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R-7")
class ManPageTest {

    private static final Pattern COMMAND = Pattern.compile("(?m)^\\| `(ebb(?: [a-z][a-z-]*)+)");

    @Test
    void shouldHaveEachCommandOfTheReference() throws Exception {
        String page = ManPage.text();

        assertThat(COMMAND.matcher(Files.readString(CommandsDocs.PAGE))
                        .results()
                        .map(row -> row.group(1))
                        // Commands of other modules, which packages do not have.
                        .filter(command -> !command.matches("ebb (dev|demo|bench)"))
                        .filter(command -> !page.contains(".SS " + command.replace("-", "\\-"))))
                .isEmpty();
        assertThat(page).contains("\\fB\\-\\-max\\-age\\fR \\fIDURATION\\fR", ".SH EXIT STATUS");
    }

    /** A line that begins with a point or an apostrophe is a request of roff, and would vanish. */
    @Test
    void shouldHaveNoRequestsBesideItsOwn() {
        assertThat(ManPage.text().lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|B|I|br|nf|fi)( .*)?"));
    }
}
