package dev.ebb.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Classes of the project, and the others that each of them names, as the class files of the build have it. */
final class ClassGraph {

    /** Also within descriptors and signatures. */
    private static final Pattern NAME = Pattern.compile("dev/ebb/[\\w/$]+");

    private static final Map<String, Optional<byte[]>> FILES = new ConcurrentHashMap<>();
    private static final Map<String, Set<String>> NAMED = new ConcurrentHashMap<>();

    private final Function<String, byte[]> replaced;
    private final Map<String, Set<String>> reached = new HashMap<>();

    /**
     * The graph of all that a class needs.
     *
     * @param replaced content of classes that are not those of the build, null for all others
     */
    ClassGraph(String from, Function<String, byte[]> replaced) {
        this.replaced = replaced;
        Deque<String> ahead = new ArrayDeque<>(Set.of(from));
        while (!ahead.isEmpty()) {
            String name = ahead.pop();
            if (!reached.containsKey(name) && fileOf(name).isPresent()) {
                reached.put(name, namedBy(name));
                ahead.addAll(reached.get(name));
            }
        }
    }

    boolean has(String name) {
        return reached.containsKey(name);
    }

    /**
     * Packages with the given classes, and all packages of which a class names one of these packages, directly or by others.
     * Whole packages, since classes of one package may use what only the package sees.
     */
    Set<String> packagesThatKnow(Set<String> classes) {
        Set<String> found = new HashSet<>();
        classes.forEach(name -> found.add(packageOf(name)));
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (Map.Entry<String, Set<String>> one : reached.entrySet()) {
                if (!found.contains(packageOf(one.getKey()))
                        && one.getValue().stream().anyMatch(name -> found.contains(packageOf(name)))) {
                    isMore |= found.add(packageOf(one.getKey()));
                }
            }
        }
        return found;
    }

    static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    /** The content of a class of the build, empty if there is no such class. */
    static Optional<byte[]> fileOf(String name) {
        return FILES.computeIfAbsent(name, ClassGraph::read);
    }

    private Set<String> namedBy(String name) {
        byte[] other = replaced.apply(name);
        return other == null
                ? NAMED.computeIfAbsent(name, one -> names(fileOf(one).orElseThrow()))
                : names(other);
    }

    private static Set<String> names(byte[] file) {
        Set<String> names = new HashSet<>();
        Matcher matcher = NAME.matcher(new String(file, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            names.add(matcher.group().replace('/', '.'));
        }
        names.removeIf(name -> fileOf(name).isEmpty());
        return names;
    }

    private static Optional<byte[]> read(String name) {
        String path = name.replace('.', '/') + ".class";
        try (InputStream file = ClassGraph.class.getClassLoader().getResourceAsStream(path)) {
            return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
