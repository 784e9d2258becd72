package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The libraries in all folders of an installation, also of the services that {@code ebb dev} starts. */
class DevLibrariesIT {

    private static final Path DISTRIBUTION = Path.of(System.getProperty("ebb.home", ""), "target/ebb");

    /** The first version of each line without the faults that are known of the library; no other line may be there. */
    private static final Map<String, List<String>> SOUND = Map.of(
            "netty-[a-z0-9-]*[a-z]2?", List.of("4.1.127"),
            "jetty-[a-z0-9-]*[a-z]", List.of("12.0.38", "12.1.12"),
            "lz4-java", List.of("1.10.1", "1.11.2", "1.14.0"),
            "jackson-(core|databind|dataformat-yaml)", List.of("2.23.0"),
            "postgresql", List.of("42.7.14"));

    @Test
    void shouldHaveNoLibraryWithAKnownFault() throws IOException {
        assertThat(jars())
                .hasSizeGreaterThan(300)
                .filteredOn(DevLibrariesIT::isFaulty)
                .isEmpty();
    }

    @Test
    void shouldHaveNoDriverOfADatabaseThatIsNotUsed() throws IOException {
        assertThat(jars())
                .filteredOn(jar -> jar.matches(".*(mssql-jdbc|mysql-connector|mariadb-java|ojdbc)[^/]*"))
                .isEmpty();
    }

    @Test
    void shouldHaveNoOldCollectionsBesideTheBroker() throws IOException {
        assertThat(jars())
                .filteredOn(jar -> jar.matches("dev/commons-(beanutils|collections|digester)-[0-9][^/]*"))
                .isEmpty();
    }

    private static boolean isFaulty(String jar) {
        return SOUND.entrySet().stream().anyMatch(sound -> {
            // The registry puts the group of a library before its name.
            Matcher matcher = Pattern.compile(".*[/.]" + sound.getKey() + "-(?<version>[0-9]+([.][0-9]+)+)[^/]*")
                    .matcher(jar);
            return matcher.matches() && !isSound(matcher.group("version"), sound.getValue());
        });
    }

    private static boolean isSound(String version, List<String> sound) {
        return sound.stream()
                .anyMatch(first -> line(first).equals(line(version))
                        && Version.parse(version).compareTo(Version.parse(first)) >= 0);
    }

    /** Returns the first two numbers of a version. */
    private static String line(String version) {
        return version.replaceFirst("^([0-9]+[.][0-9]+).*", "$1");
    }

    private static List<String> jars() throws IOException {
        try (Stream<Path> files = Files.walk(DISTRIBUTION)) {
            return files.map(file -> DISTRIBUTION.relativize(file).toString())
                    .filter(file -> file.endsWith(".jar"))
                    .toList();
        }
    }
}
