package dev.ebb.domain.policy;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.Source;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sources in force. Where one may lead, sweeps only report until a policy says {@code enforce} (F-9): the first look at
 * the data of another application must delete nothing. Immutable and thread-safe.
 */
public final class KnownSources {

    static final KnownSources NONE = new KnownSources(SharingMap.empty());

    private final SharingMap<String, Source> byName;

    private KnownSources(SharingMap<String, Source> byName) {
        this.byName = byName;
    }

    /** Returns these sources with changes by name; null removes one. */
    KnownSources with(Map<String, @Nullable Source> changes) {
        return changes.isEmpty() ? this : new KnownSources(byName.with(changes));
    }

    /** Returns the source; null if there is none of that name. */
    public @Nullable Source get(String name) {
        return byName.get(name);
    }

    /** Returns all sources, in no particular order. */
    public Stream<Source> all() {
        return byName.values().stream();
    }

    /** Returns true if a source may lead into the namespace. */
    boolean leadInto(@Nullable String namespace) {
        if (namespace == null || byName.isEmpty()) {
            return false;
        }
        for (Source source : byName.values()) {
            if (source.mayLeadInto(namespace)) {
                return true;
            }
        }
        return false;
    }

    /** Passes on the scope of each source that is not the same on both sides. */
    public void differences(KnownSources other, Consumer<Scope> listener) {
        byName.differences(other.byName, name -> {
            tell(get(name), listener);
            tell(other.get(name), listener);
        });
    }

    private static void tell(@Nullable Source source, Consumer<Scope> listener) {
        if (source != null) {
            String namespace = source.namespace();
            listener.accept(namespace == null ? Scope.ALL : Scope.namespace(namespace));
        }
    }

    /**
     * Returns the sources whose removals send tombstones where they sent none before: all that is due already goes from
     * there too.
     */
    public Stream<Source> sendingMoreThan(KnownSources before) {
        return all().filter(source -> source.sendsMoreThan(before.get(source.name())));
    }

    /** Returns true if a removal from the stream sends a tombstone where it sent none before. */
    public boolean sendMoreThan(KnownSources before, StreamName stream) {
        return !byName.isEmpty() && sendingMoreThan(before).anyMatch(source -> source.mayHave(stream));
    }
}
