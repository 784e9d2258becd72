package dev.ebb.topology.trash;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Proofs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * First deletes of one partition under each change of the policies, by namespace and cause, saved in the transaction of
 * the deletes (T-1). A partition that deletes later than another one keeps its deletes for longer. Not thread-safe.
 */
public final class ProofBook implements Proofs {

    /** Prefix of the names of its notes. */
    static final String NAME = TrashBook.NAME + "proof/";

    private final BiConsumer<String, byte @Nullable []> save;

    /** Times by the names of the notes, which end with the change: {@code trash/proof/CAUSE/namespace/key@version}. */
    private final TreeMap<String, Long> firsts = new TreeMap<>();

    /**
     * Reads the notes, and forgets those of changes that are known no more. A change that this instance has yet to see
     * is forgotten, too: it then has to prove itself again, which loses nothing.
     *
     * @param notes the notes that {@code save} has kept, and others
     * @param save keeps a note of that name, or forgets it
     * @param policies the policies in force, with their changes
     */
    public ProofBook(Map<String, byte[]> notes, BiConsumer<String, byte @Nullable []> save, PolicySet policies) {
        this.save = save;
        Set<String> known = policies.allChanges().map(Change::toString).collect(Collectors.toSet());
        List<String> over = new ArrayList<>();
        notes.forEach((name, value) -> {
            if (name.startsWith(NAME)) {
                if (known.contains(changeOf(name))) {
                    firsts.put(name, ByteBuffer.wrap(value).getLong());
                } else {
                    over.add(name);
                }
            }
        });
        over.forEach(name -> save.accept(name, null));
    }

    /** Returns the change in the name of a note. A cause and a namespace have no slash. */
    private static String changeOf(String name) {
        int afterCause = name.indexOf('/', NAME.length()) + 1;
        return name.substring(name.indexOf('/', afterCause) + 1);
    }

    @Override
    public long firstDeleteMs(String namespace, RemovalCause cause, Change change) {
        return firsts.isEmpty() ? NONE : firsts.getOrDefault(name(namespace, cause, change), NONE);
    }

    @Override
    public void deleted(String namespace, RemovalCause cause, Change change, long nowMs) {
        String name = name(namespace, cause, change);
        if (firsts.putIfAbsent(name, nowMs) == null) {
            save.accept(name, ByteBuffer.allocate(Long.BYTES).putLong(nowMs).array());
            forgetOlder(name, change);
        }
    }

    /** Forgets former changes of the same policy or hold, so that the notes do not grow with each change. */
    private void forgetOlder(String name, Change change) {
        String versions = name.substring(0, name.lastIndexOf('@') + 1);
        List<String> older = firsts.subMap(versions, versions + Character.MAX_VALUE).keySet().stream()
                .filter(other -> isOlder(other.substring(versions.length()), change))
                .toList();
        older.forEach(other -> {
            firsts.remove(other);
            save.accept(other, null);
        });
    }

    /** Returns true for a lower version; the rest of a longer key, which a name may contain, is none. */
    private static boolean isOlder(String version, Change change) {
        return version.chars().allMatch(Character::isDigit) && Long.parseLong(version) < change.version();
    }

    private static String name(String namespace, RemovalCause cause, Change change) {
        return NAME + cause + "/" + namespace + "/" + change;
    }
}
