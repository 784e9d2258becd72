package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.http.ApiRoute;
import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-17")
class RoutesDocsTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldStandInTheReferenceAsDeclared() throws IOException {
        List<ApiRoute> routes = LoneServer.routes(api.server);
        String hint = "out of date; run dev.ebb.api.RoutesDocs";

        assertThat(new GeneratedSection(RoutesDocs.READS).read(RoutesDocs.PAGE))
                .as(hint)
                .isEqualTo(RoutesDocs.reads(routes));
        assertThat(new GeneratedSection(RoutesDocs.WRITES).read(RoutesDocs.PAGE))
                .as(hint)
                .isEqualTo(RoutesDocs.writes(routes));
    }
}
