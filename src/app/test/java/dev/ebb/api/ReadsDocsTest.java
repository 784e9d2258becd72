package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-17")
class ReadsDocsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldStandInTheReferenceAsDeclared() throws IOException {
        assertThat(new GeneratedSection(ReadsDocs.SECTION).read(ReadsDocs.REFERENCE))
                .as("out of date; run dev.ebb.api.ReadsDocs")
                .isEqualTo(ReadsDocs.table(LoneServer.routes(api.server)));
    }
}
