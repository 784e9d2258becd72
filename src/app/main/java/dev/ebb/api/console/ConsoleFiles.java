package dev.ebb.api.console;

import dev.ebb.domain.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All files of the console and of its libraries, read from the class path. The page names each file, so that a browser
 * asks for all of them at once, and for no other. Immutable.
 */
final class ConsoleFiles {

    /** Placeholder in the page for the version of the files. */
    private static final String VERSION = "@version@";

    private static final Pattern NAMED = Pattern.compile("\"/console/" + VERSION + "/([a-z0-9.-]+)\"");
    private static final String WEBJARS = "/META-INF/resources/";

    /** Files of libraries, by their names in the console. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "preact.js", WEBJARS + "webjars/preact/10.26.4/dist/preact.module.js",
            "preact-hooks.js", WEBJARS + "webjars/preact/10.26.4/hooks/dist/hooks.module.js",
            "htm.js", WEBJARS + "_static/htm/3.1.1/dist/htm.module.js",
            "uplot.js", WEBJARS + "webjars/uplot/1.6.30/dist/uPlot.esm.js",
            "uplot.css", WEBJARS + "webjars/uplot/1.6.30/dist/uPlot.min.css");

    private final ConsoleFile page;
    private final Map<String, ConsoleFile> files;
    private final String version;

    private ConsoleFiles(ConsoleFile page, Map<String, ConsoleFile> files, String version) {
        this.page = page;
        this.files = files;
        this.version = version;
    }

    /** Reads all files. */
    static ConsoleFiles load() {
        String page = text(read("index.html"));
        Map<String, ConsoleFile> files = new LinkedHashMap<>();
        StringBuilder tags = new StringBuilder(page);
        Matcher named = NAMED.matcher(page);
        while (named.find()) {
            ConsoleFile file = files.computeIfAbsent(named.group(1), name -> ConsoleFile.of(name, content(name)));
            tags.append(file.tag());
        }
        String version = ConsoleFile.digest(bytes(tags.toString()));
        ConsoleFile whole = ConsoleFile.of("index.html", bytes(page.replace(VERSION, version)));
        return new ConsoleFiles(whole, Snapshot.of(files), version);
    }

    /** Returns the page itself. */
    ConsoleFile page() {
        return page;
    }

    /** Returns the file of that name; empty if the page names no such file. */
    Optional<ConsoleFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** Returns the files that the page names, by name. */
    Map<String, ConsoleFile> all() {
        return files;
    }

    /** Returns the version of the files, which is part of their paths: a file of a version never changes. */
    String version() {
        return version;
    }

    /**
     * Returns the content of a file. Libraries import each other by bare names. A browser resolves such names only with
     * an import map, which would have to be a script in the page itself; so the only bare name becomes a path.
     */
    private static byte[] content(String name) {
        byte[] content = read(LIBRARIES.getOrDefault(name, name));
        return name.equals("preact-hooks.js")
                ? bytes(text(content).replace("from\"preact\"", "from\"./preact.js\""))
                : content;
    }

    private static byte[] read(String resource) {
        String path = resource.startsWith("/") ? resource : "/dev/ebb/api/console/" + resource;
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the application lacks its file " + path);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            in.transferTo(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
