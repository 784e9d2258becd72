package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck;
import dev.ebb.serde.mirror.MirrorTable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Both sides of a comparison, and the moments at which each of them was read. Not thread-safe. */
final class Witness implements MirrorCheck {

    private final MirrorCheck sides;
    private final Clock clock;
    private final Span stores = new Span();
    private final Span sql = new Span();
    private String position = "";

    Witness(MirrorCheck sides, Clock clock) {
        this.sides = sides;
        this.clock = clock;
    }

    /** The time from the first look at a side to the last one. */
    static final class Span {

        private @Nullable Instant from;
        private @Nullable Instant to;

        @Nullable
        String from() {
            return from == null ? null : from.toString();
        }

        @Nullable
        String to() {
            return to == null ? null : to.toString();
        }
    }

    Span stores() {
        return stores;
    }

    Span sql() {
        return sql;
    }

    /** Returns the newest mark; empty before the first one. */
    String position() {
        return position;
    }

    private <T> T seen(Supplier<T> look, Span... read) {
        Instant begin = clock.instant();
        T answer = look.get();
        Instant end = clock.instant();
        for (Span span : read) {
            span.from = span.from == null ? begin : span.from;
            span.to = end;
        }
        return answer;
    }

    @Override
    public String mark() {
        position = sides.mark();
        return position;
    }

    @Override
    public boolean hasPassed(String mark) {
        return sides.hasPassed(mark);
    }

    @Override
    public DigestPage stored(int partition, MirrorTable table, @Nullable String after) {
        return seen(() -> sides.stored(partition, table, after), stores);
    }

    @Override
    public DigestPage inSql(MirrorTable table, @Nullable String after) {
        return seen(() -> sides.inSql(table, after), sql);
    }

    @Override
    public DifferencePage differences(Group group, @Nullable String after) {
        return seen(() -> sides.differences(group, after), stores, sql);
    }

    @Override
    public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
        return seen(() -> sides.look(stream, rows, executions), stores, sql);
    }

    @Override
    public Refusals refused(int most) {
        return sides.refused(most);
    }
}
