package dev.ebb.topology.source;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.serde.text.ParsedSource;
import dev.ebb.serde.text.SourceJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sources in force, as this instance reads them from the topic of accepted policies (F-1), and the targets of their
 * deletes. Thread-safe.
 */
public final class AcceptedSources {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptedSources.class);

    private final SourceTargets targets = new SourceTargets();
    private final SourceStarts starts = new SourceStarts();
    private final List<Consumer<Map<String, AcceptedSource>>> listeners = new ArrayList<>();
    private Map<String, AcceptedSource> sources = Map.of();

    /** Returns the sources by their names. */
    public synchronized Map<String, AcceptedSource> current() {
        return sources;
    }

    /** Returns the targets of deletes. */
    public SourceTargets targets() {
        return targets;
    }

    /** Returns the questions about records of logs that must stay. */
    public SourceStarts starts() {
        return starts;
    }

    /** Calls the listener with the sources as they are, and after each change, on the thread that makes it. */
    public synchronized void listen(Consumer<Map<String, AcceptedSource>> listener) {
        listeners.add(listener);
        listener.accept(sources);
    }

    /**
     * Takes a record of the topic of accepted policies; one that is none of a source changes nothing.
     *
     * @param value the declaration; null takes the source out of force
     * @param version the version of the record
     */
    public void accept(String key, byte @Nullable [] value, long version) {
        if (!PolicyKey.looksLikeSource(key)) {
            return;
        }
        ParsedSource parsed = value == null ? null : SourceJson.read(value);
        if (parsed != null && parsed.source().isEmpty()) {
            LOG.atError()
                    .addKeyValue("source", key)
                    .addKeyValue("problems", parsed.problems())
                    .log("an accepted source cannot be read and is passed over");
            return;
        }
        change(
                key.substring(key.indexOf(':') + 1),
                parsed == null ? null : parsed.source().orElseThrow(),
                version);
    }

    /** Puts newly measured targets in the place of the former ones, unless the sources have changed meanwhile. */
    public synchronized void update(Map<String, AcceptedSource> measured, List<SourceTargets.Target> newest) {
        if (measured.equals(sources)) {
            targets.replace(newest);
        }
    }

    private synchronized void change(String name, @Nullable Source source, long version) {
        Map<String, AcceptedSource> changed = new HashMap<>(sources);
        if (source == null) {
            changed.remove(name);
        } else {
            changed.put(name, new AcceptedSource(source, version));
        }
        sources = Snapshot.of(changed);
        targets.cut(sources.values().stream()
                .map(AcceptedSource::source)
                .filter(one -> one.target().kind() == SourceTarget.Kind.TRUNCATE)
                .toList());
        // Until Kafka has been asked about the targets, nothing of these sources is deleted.
        targets.replace(sources.values().stream()
                .map(AcceptedSource::source)
                .filter(one -> one.target().hasTombstones())
                .map(one -> name.equals(one.name()) ? SourceTargets.Target.unknown(one) : targets.known(one))
                .toList());
        listeners.forEach(listener -> listener.accept(sources));
    }
}
