package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the project: short enough to be read, and without links that lead nowhere. */
class PagesTest {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final List<String> FOLDERS = List.of("docs", "docker", "config");
    private static final int MOST_BYTES = 20_000;

    /** Pages that people search rather than read. */
    private static final Set<String> LONG = Set.of("docs/decisions.md", "docs/lab-book.md");

    /** The target of a link, and its anchor. */
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");

    /** A page named in code or configuration, and its anchor. */
    private static final Pattern NAMED = Pattern.compile("\\bdocs/[\\w/-]+\\.md(?:#([\\w-]+))?");

    private static final Pattern NAMING = Pattern.compile(".*\\.(ya?ml|java|sql)");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern WORD_OF_CODE = Pattern.compile("`[^`\\n]*`");

    @Test
    void shouldBeShortEnoughToRead() throws IOException {
        assertThat(pages())
                .hasSizeGreaterThan(15)
                .filteredOn(page -> !LONG.contains(HOME.relativize(page).toString()))
                .allSatisfy(page -> assertThat(Files.size(page)).isLessThanOrEqualTo(MOST_BYTES));
    }

    @Test
    void shouldLinkToWhatIsThere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            broken.addAll(brokenLinks(page, text(page)));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldNoticeALinkThatLeadsNowhere() {
        // given
        Path page = HOME.resolve("docs/operations/README.md");

        // when / then
        assertThat(brokenLinks(page, "[a](deploy.md) [b](grow.md#scale) [c](https://example.com/x) `[d](x.md)`"))
                .isEmpty();
        assertThat(brokenLinks(page, "[a](nowhere.md) [b](grow.md#nowhere) [c](#nowhere)"))
                .hasSize(3);
    }

    /** Runbooks of alerts, messages and comments name pages by their path. */
    @Test
    void shouldNamePagesThatAreThereInCodeAndConfiguration() throws IOException {
        // given
        List<Path> folders = new ArrayList<>(List.of(HOME.resolve("config"), HOME.resolve("docker")));
        try (Stream<Path> modules = Files.list(HOME.resolve("src"))) {
            modules.map(module -> module.resolve("main"))
                    .filter(Files::isDirectory)
                    .forEach(folders::add);
        }

        // when
        List<Path> naming = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> NAMING.matcher(file.toString()).matches())
                        .filter(file -> NAMED.matcher(text(file)).find())
                        .forEach(naming::add);
            }
        }

        // then
        assertThat(naming).hasSizeGreaterThan(3);
        assertThat(naming).flatMap(file -> brokenNames(file, text(file))).isEmpty();
    }

    @Test
    void shouldNoticeANamedPageThatIsNotThere() {
        // given
        Path rules = HOME.resolve("config/prometheus/ebb-alerts.yaml");

        // when / then
        assertThat(brokenNames(rules, "docs/operations/alerts.md#ebbdiskfull, docs/undo.md"))
                .isEmpty();
        assertThat(brokenNames(rules, "docs/alerts.md#ebbdiskfull docs/operations/alerts.md#nowhere"))
                .hasSize(2);
    }

    private static List<String> brokenNames(Path file, String text) {
        return NAMED.matcher(text)
                .results()
                .filter(name -> {
                    String anchor = name.group(1);
                    Path page = HOME.resolve(name.group().replaceFirst("#.*", ""));
                    return !Files.exists(page)
                            || anchor != null && !anchors(page).contains(anchor);
                })
                .map(name -> HOME.relativize(file) + " " + name.group())
                .toList();
    }

    private static List<String> brokenLinks(Path page, String text) {
        return LINK.matcher(
                        WORD_OF_CODE.matcher(BLOCK.matcher(text).replaceAll("")).replaceAll(""))
                .results()
                .filter(link -> !link.group(1).contains(":"))
                .filter(link -> {
                    Path target = link.group(1).isEmpty()
                            ? page
                            : page.resolveSibling(link.group(1)).normalize();
                    return !Files.exists(target)
                            || link.group(2) != null && !anchors(target).contains(link.group(2));
                })
                .map(link -> HOME.relativize(page) + " " + link.group())
                .toList();
    }

    /** Returns the anchors that GitHub gives the headings of a page: a number follows those that it had before. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new HashSet<>();
        BLOCK.matcher(text(page))
                .replaceAll("")
                .lines()
                .filter(line -> line.matches("#+ .*"))
                .map(PagesTest::anchor)
                .forEach(anchor -> anchors.add(IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> i == 0 ? anchor : anchor + "-" + i)
                        .filter(name -> !anchors.contains(name))
                        .findFirst()
                        .orElseThrow()));
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceFirst("#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(HOME)) {
            files.filter(PagesTest::isPage).forEach(pages::add);
        }
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
                files.filter(PagesTest::isPage).forEach(pages::add);
            }
        }
        return pages;
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
