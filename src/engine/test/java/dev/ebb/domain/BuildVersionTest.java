package dev.ebb.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildVersionTest {

    @Test
    void shouldSayThatItIsNoReleaseWhereThereIsNoJar() {
        assertThat(BuildVersion.text()).isEqualTo("development");
    }
}
