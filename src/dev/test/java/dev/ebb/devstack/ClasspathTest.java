package dev.ebb.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The registry client brings older copies of some libraries, which must not come first. */
final class ClasspathTest {
    @ParameterizedTest
    @CsvSource({
        "org.apache.commons.io.input.BoundedInputStream, commons-io",
        "org.apache.commons.lang3.StringUtils, commons-lang3",
        "org.yaml.snakeyaml.Yaml, snakeyaml",
        "org.xerial.snappy.Snappy, snappy-java",
        "com.github.luben.zstd.Zstd, zstd-jni"
    })
    void shouldTakeALibraryFromItsOwnJar(String type, String library) throws ClassNotFoundException {
        var jar = Class.forName(type, false, getClass().getClassLoader())
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();

        assertThat(jar.getPath()).contains("/" + library + "-");
    }
}
