package dev.ebb.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("C-11")
class PathSegmentTest {

    @ParameterizedTest
    @CsvSource({
        "., ~%2E",
        ".., ~%2E%2E",
        "..., %2E%2E%2E",
        "~., ~~%2E",
        "~.., ~~%2E%2E",
        "~..., ~%2E%2E%2E",
        "~, ~",
        "a., a%2E",
        "orders/eu-1, orders%2Feu-1",
        "a b, a%20b"
    })
    void shouldWriteNamesOfDotsSoThatTheyAreNoSteps(String name, String segment) {
        assertThat(PathSegment.of(name)).isEqualTo(segment);
        assertThat(PathSegment.name(URLDecoder.decode(segment, StandardCharsets.UTF_8)))
                .isEqualTo(name);
    }

    /** What a client does to a path before it sends it, or a proxy that decodes it first. */
    @ParameterizedTest
    @ValueSource(strings = {".", "..", "~.", "~..", "a/../b", "..."})
    void shouldBeTheSameNameBehindAClientThatShortensPaths(String name) {
        // when
        String path = "/v1/streams/s/events/"
                + PathSegment.of(name).replace("%2E", ".").replace("%2e", ".");

        // then
        String sent = URI.create(path).normalize().getRawPath();
        assertThat(PathSegment.name(
                        URLDecoder.decode(sent.substring(sent.lastIndexOf('/') + 1), StandardCharsets.UTF_8)))
                .isEqualTo(name);
    }
}
