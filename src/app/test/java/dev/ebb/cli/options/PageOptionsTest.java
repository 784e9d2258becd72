package dev.ebb.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageOptionsTest {

    @Test
    void shouldSayHowMuchOfAListIsThere() {
        assertThat(PageOptions.soFar(0, "audit")).isEqualTo("nothing found so far");
        assertThat(PageOptions.soFar(1, "audit")).isEqualTo("1 audit record so far");
        assertThat(PageOptions.soFar(1, "streams")).isEqualTo("1 stream so far");
        assertThat(PageOptions.soFar(2000, "events")).isEqualTo("2,000 events so far");
    }
}
