package dev.ebb.api.verify;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.peers.Forwarding;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.NotReadyException;
import dev.ebb.serde.mirror.MirrorTable;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of a comparison, with all partitions: other instances are asked for theirs. Waits for a partition that
 * moves or whose instance is away. Not thread-safe, except for {@link #waitsFor}.
 */
final class AllPartitions implements MirrorCheck {

    static final String ROUTE = "/v1/verify";

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final MirrorCheck local;
    private final Forwarding forwarding;
    private final PeerQuestion asked;
    private final Pause pause;
    private final Duration patience;
    private volatile @Nullable String waitsFor;

    /**
     * @param local both sides, for the partitions of this instance
     * @param asked the request for the comparison; other instances are asked on behalf of its caller
     * @param patience the longest wait for a partition, each time
     */
    AllPartitions(MirrorCheck local, Forwarding forwarding, PeerQuestion asked, Pause pause, Duration patience) {
        this.local = local;
        this.forwarding = forwarding;
        this.asked = asked;
        this.pause = pause;
        this.patience = patience;
    }

    /** A question about {@link MirrorCheck#stored}. */
    record Stored(
            int partition, MirrorTable table, @Nullable String after) {}

    /** A question about {@link MirrorCheck#differences}. */
    record Differing(Group group, @Nullable String after) {}

    /** A question about {@link MirrorCheck#look}. */
    record Looked(String stream, List<RowKey> rows, List<Long> executions) {}

    /** Returns the reason why the comparison waits; null if it does not. May be called from any thread. */
    @Nullable
    String waitsFor() {
        return waitsFor;
    }

    @Override
    public String mark() {
        return local.mark();
    }

    @Override
    public boolean hasPassed(String mark) {
        return local.hasPassed(mark);
    }

    @Override
    public Refusals refused(int most) {
        return local.refused(most);
    }

    @Override
    public DigestPage inSql(MirrorTable table, @Nullable String after) {
        return local.inSql(table, after);
    }

    @Override
    public DigestPage stored(int partition, MirrorTable table, @Nullable String after) {
        Stored question = new Stored(partition, table, after);
        return ask("/stored", question, DigestPage.class, () -> local.stored(partition, table, after));
    }

    @Override
    public DifferencePage differences(Group group, @Nullable String after) {
        Differing question = new Differing(group, after);
        return ask("/differences", question, DifferencePage.class, () -> local.differences(group, after));
    }

    @Override
    public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
        Looked question = new Looked(stream, rows, executions);
        Supplier<DifferencePage> here = () -> new DifferencePage(local.look(stream, rows, executions), null);
        return ask("/look", question, DifferencePage.class, here).differences();
    }

    private <T> T ask(String what, Object question, Class<T> type, Supplier<T> here) {
        PeerQuestion there = asked.post(ROUTE + what, ApiJson.bytes(question));
        long start = System.nanoTime();
        while (true) {
            try {
                T answer = forwarding.answer(here, there, type);
                waitsFor = null;
                return answer;
            } catch (NotReadyException e) {
                if (System.nanoTime() - start > patience.toNanos()) {
                    throw e;
                }
                waitsFor = e.getMessage();
                pause.sleep(PAUSE);
            }
        }
    }
}
