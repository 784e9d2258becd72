package dev.ebb.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of the packages, as far as they can be tried without making them. PackagesSuite tries the packages themselves. */
@Tag("R-7")
@Timeout(60)
class PackageFilesTest {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final Path FILES = HOME.resolve("src/release/main");

    /** Worse than this, by systemd's own reckoning from 0 to 10, means that a line of hardening is missing. */
    private static final String MOST_EXPOSURE = "2";

    @TempDir
    private Path folder;

    private Path java;

    @BeforeEach
    void layOut() throws Exception {
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("lib"));
        Files.createFile(folder.resolve("lib/ebb.jar"));
        Files.copy(FILES.resolve("tarball/bin/ebb"), folder.resolve("bin/ebb"));
        java = Files.createDirectories(folder.resolve("jre/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThat(folder.resolve("bin/ebb").toFile().setExecutable(true)).isTrue();
    }

    /** The pom has them first: a project that moves changes them there, and this test leads to the rest. */
    @Test
    void shouldNameTheAddressesOfThePomEverywhere() throws Exception {
        String pom = Files.readString(HOME.resolve("pom.xml"));
        String site = pom.replaceFirst("(?s).*?<url>(.*?)</url>.*", "$1");
        String mail = pom.replaceFirst("(?s).*?<email>(.*?)</email>.*", "$1");

        assertThat(FILES.resolve("deb/control/control"))
                .content()
                .contains("Homepage: " + site + "\n", "<" + mail + ">\n");
        for (String file : List.of(
                "schemas/policies.schema.json",
                "docs/policies-in-ci.md",
                "src/engine/main/java/dev/ebb/serde/text/PolicyFileSchema.java")) {
            assertThat(HOME.resolve(file)).content().contains(site + "/schemas/policies.schema.json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tarball/bin/ebb", "deb/control/postinst", "deb/control/prerm", "deb/control/postrm"})
    void shouldBeScriptsThatAnyShellReads(String file) throws Exception {
        new Shell(FILES, Map.of()).must("sh -n " + file);
        if (Programs.isInstalled("shellcheck")) {
            new Shell(FILES, Map.of()).must("shellcheck -s sh " + file);
        }
    }

    @Test
    void shouldStartTheApplicationWithTheJavaOfTheUser() throws Exception {
        String said = launcher(Map.of("JAVA_HOME", folder.resolve("jre").toString(), "EBB_JAVA_OPTS", "-Xmx99m"))
                .must("bin/ebb run --set a=b");

        assertThat(said)
                .contains("-Xmx99m", "-XX:+ExitOnOutOfMemoryError", "-Debb.home=" + folder.toRealPath())
                .endsWith("dev.ebb.cli.Main run --set a=b\n");
    }

    @Test
    void shouldBeCalledThroughALink() throws Exception {
        Files.createSymbolicLink(folder.resolve("called"), folder.resolve("bin/ebb"));

        assertThat(launcher(Map.of("JAVA_HOME", folder.resolve("jre").toString()))
                        .must("./called run"))
                .contains("-cp " + folder.toRealPath().resolve("lib/ebb.jar") + " ");
    }

    @Test
    void shouldSayWhichJavaItNeeds() throws Exception {
        Files.writeString(folder.resolve("jre/release"), "JAVA_VERSION=\"11.0.20\"\n");
        String old = folder.resolve("jre").toString();

        assertThat(launcher(Map.of("JAVA_HOME", old)).run("bin/ebb status"))
                .isEqualTo(new Shell.Outcome(
                        1, "ebb: " + java + " is version 11: version 17 or newer is needed. Let JAVA_HOME name one\n"));
        assertThat(launcher(Map.of("JAVA_HOME", "/nowhere"))
                        .run("bin/ebb status")
                        .text())
                .startsWith("ebb: JAVA_HOME is /nowhere, which has no bin/java");
    }

    @Test
    void shouldTakeTheOldestJavaThatIsPromised() throws Exception {
        for (String version : List.of("17", "17.0.2", "21.0.1", "25")) {
            Files.writeString(folder.resolve("jre/release"), "JAVA_VERSION=\"" + version + "\"\n");
            launcher(Map.of("JAVA_HOME", folder.resolve("jre").toString())).must("bin/ebb run");
        }
    }

    @Test
    void shouldBeAServiceThatMayDoLittle() throws Exception {
        assumeTrue(Programs.isInstalled("systemd-analyze"), "systemd-analyze is not installed");
        Files.createDirectories(folder.resolve("usr/bin"));
        Files.copy(FILES.resolve("tarball/bin/ebb"), folder.resolve("usr/bin/ebb"));
        assertThat(folder.resolve("usr/bin/ebb").toFile().setExecutable(true)).isTrue();
        Path units = Files.createDirectories(folder.resolve("etc/systemd/system"));
        Files.copy(FILES.resolve("deb/ebb.service"), units.resolve("ebb.service"));
        Shell shell = new Shell(folder, Map.of());

        assertThat(shell.run("systemd-analyze verify --man=no --root=" + folder
                                + " ebb.service 2>&1 | grep ebb.service")
                        .text())
                .doesNotContain("Unknown", "Failed to parse", "ignoring");
        shell.must("systemd-analyze security --offline=true --threshold=" + MOST_EXPOSURE + "0 --root=" + folder
                + " ebb.service");
    }

    /** A scanner reads the SBOM, and sees nothing of a library that was shaded into a jar unless the SBOM names it. */
    @Test
    void shouldNameWhatJarsHaveInsideOfThem() throws Exception {
        // given one jar that tells by its files, one by its notice, two that no pom names, and one of our own
        Path jars = Files.createDirectories(folder.resolve("jars"));
        jar(
                jars.resolve("outer-1.0.jar"),
                "META-INF/maven/g.inner/inner/pom.properties",
                pom("g.inner", "inner", "2.0"));
        jar(jars.resolve("bundle-1.0.jar"), "META-INF/NOTICE", "This project bundles\n\n- g.other:other:3.0\n");
        jar(
                jars.resolve("loose-4.0.jar"),
                "META-INF/maven/g.loose/loose/pom.properties",
                pom("g.loose", "loose", "4.0"));
        jar(
                Files.createDirectories(jars.resolve("main")).resolve("g.far.far-5.0.jar"),
                "META-INF/maven/g.far/far/pom.properties",
                pom("g.far", "far", "5.0"));
        jar(jars.resolve("ebb-x.jar"), "META-INF/maven/g.x/x/pom.properties", pom("g.x", "x", "1"));
        Files.writeString(
                folder.resolve("sbom.json"),
                "{\"components\":[{\"name\":\"outer\",\"version\":\"1.0\"},{\"name\":\"bundle\",\"version\":\"1.0\"}]}");

        // when
        new Shell(folder, Map.of("CLASSES", System.getProperty("java.class.path")))
                .must(System.getProperty("java.home") + "/bin/java -cp \"$CLASSES\" "
                        + FILES.resolve("build/SbomParts.java") + " sbom.json new.json jars");

        // then
        JsonNode components =
                new ObjectMapper().readTree(folder.resolve("new.json").toFile()).path("components");
        assertThat(components.findValuesAsText("purl"))
                .containsExactlyInAnyOrder(
                        "pkg:maven/g.inner/inner@2.0?type=jar",
                        "pkg:maven/g.other/other@3.0?type=jar",
                        "pkg:maven/g.loose/loose@4.0?type=jar",
                        "pkg:maven/g.far/far@5.0?type=jar");
        assertThat(components.at("/0/components/0/name").asText()).isEqualTo("inner");
        assertThat(components.at("/1/components/0/name").asText()).isEqualTo("other");
        assertThat(components.at("/2/name").asText()).isEqualTo("loose");
    }

    private static String pom(String group, String artifact, String version) {
        return "groupId=" + group + "\nartifactId=" + artifact + "\nversion=" + version + "\n";
    }

    private static void jar(Path file, String entry, String text) throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new ZipEntry(entry));
            jar.write(text.getBytes(UTF_8));
        }
    }

    private Shell launcher(Map<String, String> variables) {
        return new Shell(folder, variables);
    }
}
