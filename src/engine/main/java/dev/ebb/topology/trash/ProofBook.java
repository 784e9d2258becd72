package dev.ebb.topology.trash;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.Proofs;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * First deletes of one partition under each change of the policies, by namespace, cause and kind of scope, saved in the
 * transaction of the deletes (T-1). A partition that deletes later than another one keeps its deletes for longer. Not thread-safe.
 */
public final class ProofBook implements Proofs {

    /** Prefix of the names of its notes. */
    static final String NAME = TrashBook.NAME + "proof/";

    /** Number of proofs that are kept without a look for those of changes that are known no more. */
    private static final int FEW = 256;

    private final BiConsumer<String, byte @Nullable []> save;
    private final Supplier<PolicySet> policies;

    /** Times by the names of the notes, which end with the change: {@code trash/proof/CAUSE.kind/namespace/key@version}. */
    private final Map<String, Long> firsts = new HashMap<>();

    private int most = FEW;

    /** Undone deletes since the last first delete: an undo brings many events back, and one look is enough. */
    private final Set<Undone> undone = new HashSet<>();

    private record Undone(String namespace, String change, List<String> formerChanges) {}

    /**
     * @param notes the notes that {@code save} has kept, and others
     * @param save keeps a note of that name, or forgets it
     * @param policies the policies in force, with their changes
     */
    public ProofBook(
            Map<String, byte[]> notes, BiConsumer<String, byte @Nullable []> save, Supplier<PolicySet> policies) {
        this.save = save;
        this.policies = policies;
        notes.forEach((name, value) -> {
            if (name.startsWith(NAME)) {
                firsts.put(name, ByteBuffer.wrap(value).getLong());
            }
        });
    }

    /** Returns the change in the name of a note. A cause, a kind of scope and a namespace have no slash. */
    private static String changeOf(String name) {
        int afterCause = name.indexOf('/', NAME.length()) + 1;
        return name.substring(name.indexOf('/', afterCause) + 1);
    }

    @Override
    public long firstDeleteMs(String namespace, RemovalCause cause, String scopeKind, Change change) {
        return firsts.isEmpty() ? NONE : firsts.getOrDefault(name(namespace, cause, scopeKind, change), NONE);
    }

    @Override
    public void deleted(String namespace, RemovalCause cause, String scopeKind, Change change, long nowMs) {
        String name = name(namespace, cause, scopeKind, change);
        if (firsts.putIfAbsent(name, nowMs) == null) {
            save.accept(name, ByteBuffer.allocate(Long.BYTES).putLong(nowMs).array());
            undone.clear();
            if (firsts.size() > most) {
                forgetUnknown();
            }
        }
    }

    @Override
    public void undone(String namespace, Deletion deletion) {
        if (firsts.isEmpty() || !undone.add(new Undone(namespace, deletion.change(), deletion.formerChanges()))) {
            return;
        }
        if (undone.size() > FEW) {
            undone.clear();
        }
        Set<String> ends =
                deletion.changes().map(change -> "/" + namespace + "/" + change).collect(Collectors.toSet());
        forget(name -> ends.contains(name.substring(name.indexOf('/', NAME.length()))));
    }

    /**
     * Forgets the proofs of changes that are known no more. The task deletes, so it sees all policies; a change that it
     * has yet to see would have to prove itself again, which loses nothing. Looks again when twice as many are kept.
     */
    private void forgetUnknown() {
        Set<String> known = policies.get().allChanges().map(Change::toString).collect(Collectors.toSet());
        forget(name -> !known.contains(changeOf(name)));
        most = Math.max(FEW, 2 * firsts.size());
    }

    private void forget(Predicate<String> test) {
        firsts.keySet().removeIf(name -> {
            boolean isOver = test.test(name);
            if (isOver) {
                save.accept(name, null);
            }
            return isOver;
        });
    }

    private static String name(String namespace, RemovalCause cause, String scopeKind, Change change) {
        return NAME + cause + "." + scopeKind + "/" + namespace + "/" + change;
    }
}
