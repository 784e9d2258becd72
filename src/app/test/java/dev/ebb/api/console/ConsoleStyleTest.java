package dev.ebb.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Format and lint of the scripts of the console, without Node: what a formatter and a linter would find by text alone. */
class ConsoleStyleTest {

    private static final Path SOURCES = ProjectFiles.file("src/app/main/resources/dev/ebb/api/console");
    private static final Pattern TEXTS = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|'(?:\\\\.|[^'\\\\\\n])*'");
    private static final Pattern IMPORT = Pattern.compile(
            "(?m)^import \\{ ([^}]+) \\} from '\\./([\\w-]+\\.js)';|^import (\\w+) from '\\./[\\w-]+\\.js';");
    private static final Pattern DECLARED =
            Pattern.compile("(?m)^(?:const|let|class) (\\w+)|^const \\[(\\w+), (\\w+)\\]");
    private static final Pattern EXPORTED =
            Pattern.compile("(?m)^export (?:const|let|class|function) (\\w+)|^export \\{ ([^}]+) \\}");

    private static final Map<String, String> FORBIDDEN = Map.of(
            "a tab", "\\t",
            "a blank at the end of a line", "(?m) +$",
            "two empty lines", "\\n\\n\\n",
            "an odd indentation", "(?m)^(?:  )* (?![ *])",
            "a statement on the line of its condition", "(?m)^ *(?:if|for|while) \\(.*\\) [^{\\n]*;$");

    /** Found in code alone: comments and texts in single quotes may have these words. */
    private static final Map<String, String> FORBIDDEN_CODE = Map.of(
            "var", "\\bvar [a-z]",
            "a comparison that converts", "(?<![=!])[!=]=(?!=| null)",
            "the log of the browser", "\\bconsole\\.\\w+\\(",
            "a break for a debugger", "\\bdebugger\\b",
            "a dialog of the browser", "\\b(?:alert|confirm|prompt)\\('",
            "a text in double quotes", "(?m)^(?:import|const|let|export)\\b[^`<\\n]*[=(] *\"");

    private static final Map<String, String> CODE = new HashMap<>();

    private static Map<String, String> scripts;

    @BeforeAll
    static void read() throws IOException {
        scripts = new TreeMap<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".js")).toList()) {
                scripts.put(file.getFileName().toString(), Files.readString(file));
            }
        }
    }

    @Test
    void shouldHaveTheFormatOfTheOthers() {
        assertThat(scripts).hasSizeGreaterThan(10);
        assertThat(faults((name, text) -> faultsOfFormat(text))).isEmpty();
    }

    @Test
    void shouldUseWhatItImportsAndDeclares() {
        assertThat(faults((name, text) -> unused(text))).isEmpty();
    }

    @Test
    void shouldImportWhatTheOtherFileExports() {
        assertThat(faults((name, text) -> IMPORT.matcher(text)
                        .results()
                        .filter(match -> match.group(1) != null && scripts.containsKey(match.group(2)))
                        .flatMap(match -> names(match.group(1)).filter(one -> !exported(scripts.get(match.group(2)))
                                .contains(one)))
                        .toList()))
                .isEmpty();
    }

    /** A file that only adds to the size of the page is found here, and so is a part of one. */
    @Test
    void shouldExportWhatAnotherFileOrATestUses() throws IOException {
        String tests;
        try (Stream<Path> files = Files.walk(ProjectFiles.file("src/it/test/java"))) {
            tests = files.filter(path -> path.toString().endsWith(".java"))
                    .map(ConsoleStyleTest::text)
                    .collect(Collectors.joining());
        }
        assertThat(faults((name, text) -> exported(text).stream()
                        .filter(one -> !tests.contains("m." + one)
                                && scripts.entrySet().stream()
                                        .filter(other -> !other.getKey().equals(name))
                                        .allMatch(other -> uses(other.getValue(), one) == 0))
                        .toList()))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "const a = 1;\\nf(a);\\n|",
                "f();|no end of a line at the end",
                "if (a) f();\\n|a statement on the line of its condition",
                "const f = () => {\\n   g();\\n};\\nf();\\n|an odd indentation",
                "f(a == b, c != null);\\n|a comparison that converts",
                "f(a === null && b !== c && d => e);\\n|",
                "f('a == b'); // a == b\\n|",
                "console.log(a);\\n|the log of the browser",
                "f(); \\n|a blank at the end of a line"
            })
    void shouldFindFaults(String text, String fault) {
        assertThat(faultsOfFormat(text.replace("\\n", "\n"))).isEqualTo(fault == null ? List.of() : List.of(fault));
    }

    @Test
    void shouldFindWhatIsNotUsed() {
        assertThat(unused("import { a, b as c, d } from './x.js';\nconst e = a + c; // d\nclass F {}\n"))
                .containsExactly("d", "e", "F");
    }

    /** The scripts with faults, each with what a rule names. */
    private static Map<String, List<String>> faults(BiFunction<String, String, List<String>> rule) {
        Map<String, List<String>> faults = new TreeMap<>();
        scripts.forEach((name, text) -> faults.put(name, rule.apply(name, text)));
        faults.values().removeIf(List::isEmpty);
        return faults;
    }

    private static List<String> faultsOfFormat(String text) {
        String code = TEXTS.matcher(text).replaceAll("''");
        Stream<String> found = Stream.concat(
                FORBIDDEN.entrySet().stream()
                        .filter(rule -> has(text, rule.getValue()))
                        .map(Map.Entry::getKey),
                FORBIDDEN_CODE.entrySet().stream()
                        .filter(rule -> has(code, rule.getValue()))
                        .map(Map.Entry::getKey));
        Stream<String> end = text.endsWith("\n") ? Stream.of() : Stream.of("no end of a line at the end");
        return Stream.concat(found, end).sorted().toList();
    }

    private static boolean has(String text, String rule) {
        return Pattern.compile(rule).matcher(text).find();
    }

    /** The names that a script imports or declares at its top, and has nowhere else. */
    private static List<String> unused(String text) {
        Stream<String> imported = IMPORT.matcher(text)
                .results()
                .flatMap(match -> match.group(1) == null ? Stream.of(match.group(3)) : local(match.group(1)));
        Stream<String> declared = DECLARED.matcher(text).results().flatMap(ConsoleStyleTest::groups);
        return Stream.concat(imported, declared)
                .filter(name -> uses(text, name) < 2)
                .toList();
    }

    private static Stream<String> groups(MatchResult match) {
        return IntStream.rangeClosed(1, match.groupCount())
                .mapToObj(match::group)
                .filter(group -> group != null && !group.isEmpty());
    }

    private static Stream<String> local(String list) {
        return Stream.of(list.split(",")).map(one -> one.trim().replaceAll(".* as ", ""));
    }

    private static Stream<String> names(String list) {
        return Stream.of(list.split(",")).map(one -> one.trim().replaceAll(" as .*", ""));
    }

    private static List<String> exported(String text) {
        return EXPORTED.matcher(text)
                .results()
                .flatMap(match -> match.group(1) == null ? local(match.group(2)) : Stream.of(match.group(1)))
                .toList();
    }

    /** Number of places in code and in markup; a name in a comment is no use of it. */
    private static long uses(String text, String name) {
        String code = CODE.computeIfAbsent(text, whole -> TEXTS.matcher(whole).replaceAll("''"));
        return Pattern.compile("(?<![\\w$]|(?<!\\.\\.)\\.)" + name + "(?![\\w$])")
                .matcher(code)
                .results()
                .count();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
