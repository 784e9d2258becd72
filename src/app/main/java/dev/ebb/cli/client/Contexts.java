package dev.ebb.cli.client;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.Spelling;
import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Applications by name, in a file of the user: {@code ebb/contexts.properties} in {@code XDG_CONFIG_HOME}, or
 * else in {@code ~/.config}. It has the files of tokens, never the tokens. Immutable.
 *
 * @param file the file; null if the environment names no home
 * @param current the name of the context in use; null if there is none
 * @param all the contexts, by name
 */
public record Contexts(@Nullable Path file, @Nullable String current, Map<String, Target> all) {

    /** The variable that names a context for one call. */
    public static final String VARIABLE = "EBB_CONTEXT";

    private static final String CURRENT = "current";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /**
     * Where an application is, and how a command identifies itself there.
     *
     * @param api the URL of its API
     * @param tokenFile the file that holds the token; empty if none is needed
     * @param caFile certificates in PEM that verify the address; empty for those that Java trusts
     */
    public record Target(String api, String tokenFile, String caFile) {}

    public Contexts {
        all = Map.copyOf(all);
    }

    /** Reads the contexts of the user with these environment variables. */
    public static Contexts of(Map<String, String> environment) {
        Path file = file(environment);
        Properties read = new Properties();
        if (file != null && Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                read.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.FAILED, "cannot read the contexts in " + file, e);
            }
        }
        Map<String, Target> all = new TreeMap<>();
        for (String key : new TreeSet<>(read.stringPropertyNames())) {
            if (key.endsWith(".api")) {
                String name = key.substring(0, key.length() - ".api".length());
                all.put(
                        name,
                        new Target(
                                read.getProperty(key),
                                read.getProperty(name + ".token.file", ""),
                                read.getProperty(name + ".ca.file", "")));
            }
        }
        return new Contexts(file, read.getProperty(CURRENT), all);
    }

    private static @Nullable Path file(Map<String, String> environment) {
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        Path folder = !config.isBlank()
                ? Path.of(config)
                : home.isBlank() ? null : Path.of(home).resolve(".config");
        return folder == null ? null : folder.resolve("ebb").resolve("contexts.properties");
    }

    /** Returns the names in order. */
    public List<String> names() {
        return all.keySet().stream().sorted().toList();
    }

    /**
     * Returns the context of that name.
     *
     * @throws CommandFailure if there is none
     */
    public Target get(String name) {
        Target target = all.get(name);
        if (target == null) {
            String near = Spelling.closest(name, names())
                    .map(known -> "; the nearest is '" + known + "'")
                    .orElse("");
            throw new CommandFailure(ExitCode.FAILED, "there is no context '" + name + "'" + near);
        }
        return target;
    }

    /**
     * Returns the context that a call means; null if it names none and none is in use.
     *
     * @throws CommandFailure if the context that is named does not exist
     */
    public @Nullable Target meant(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        String name = named.isBlank() ? current : named;
        return name == null ? null : get(name);
    }

    /** Returns these contexts and another one, which replaces one of the same name; the first one is in use at once. */
    public Contexts with(String name, Target target) {
        if (!NAME.matcher(name).matches()) {
            throw CommandFailure.usage(
                    "'" + name + "' is no name of a context; use up to 64 letters, digits, '-' and '_'");
        }
        Map<String, Target> more = new TreeMap<>(all);
        more.put(name, target);
        return new Contexts(file, current == null ? name : current, more);
    }

    /** Returns these contexts with that one in use. */
    public Contexts using(String name) {
        get(name);
        return new Contexts(file, name, all);
    }

    /** Returns these contexts without that one. */
    public Contexts without(String name) {
        get(name);
        Map<String, Target> fewer = new TreeMap<>(all);
        fewer.remove(name);
        return new Contexts(file, name.equals(current) ? null : current, fewer);
    }

    /** Writes them to the file, which only its owner may read. */
    public void save() {
        Path target = file;
        if (target == null) {
            throw CommandFailure.usage("set HOME or XDG_CONFIG_HOME: contexts are kept in a file there");
        }
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
            WholeFile.replace(target, Readers.OWNER, out -> {
                Properties written = new Properties();
                if (current != null) {
                    written.setProperty(CURRENT, current);
                }
                all.forEach((name, one) -> {
                    written.setProperty(name + ".api", one.api());
                    put(written, name + ".token.file", one.tokenFile());
                    put(written, name + ".ca.file", one.caFile());
                });
                written.store(out, "Contexts of ebb. Changed by 'ebb context'.");
            });
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot write " + target + ": " + e.getMessage(), e);
        }
    }

    private static void put(Properties written, String key, String value) {
        if (!value.isEmpty()) {
            written.setProperty(key, value);
        }
    }
}
