package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-16")
class CommandsDocsTest {

    @Test
    void shouldStandInTheReferenceAsTheirHelpSays() throws IOException {
        assertThat(new GeneratedSection(CommandsDocs.SECTION).read(CommandsDocs.PAGE))
                .as("out of date; run dev.ebb.cli.CommandsDocs")
                .isEqualTo(CommandsDocs.table());
    }
}
