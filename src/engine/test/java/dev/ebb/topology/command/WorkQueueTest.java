package dev.ebb.topology.command;

import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What work does beside the thread of its task ends with it, however it ends. */
@Tag("O-11")
class WorkQueueTest {

    private static final long NOW_MS = 1_000_000;

    private final WorkFixture fixture = new WorkFixture();
    private final WorkQueue queue = new WorkQueue(fixture.parts);
    private final List<String> closed = new ArrayList<>();
    private long offset;
    private final List<String> stepped = new ArrayList<>();

    /** Work that reads something on another thread. */
    private final class Reading extends Work {

        private final String title;
        private final Progress progress;

        Reading(String title, Progress progress) {
            super("sweep", fixture.parts, request("c-1", new Command.SweepNow(Scope.ALL, null)));
            this.title = title;
            this.progress = progress;
        }

        @Override
        public Progress step(long nowMs, SweepBudget budget) {
            stepped.add(title);
            return progress;
        }

        @Override
        public void fail(String detail, long nowMs) {
            throw new AssertionError(detail);
        }

        @Override
        public Object state() {
            return List.of(title);
        }

        @Override
        public void close() {
            closed.add(title);
        }
    }

    @Test
    void shouldCloseWorkThatIsDone() {
        queue.add(new Reading("waits", Work.Progress.WAITING), offset++);
        slice();
        assertThat(closed).isEmpty();

        queue.add(new Reading("done", Work.Progress.DONE), offset++);
        slice();

        assertThat(closed).containsExactly("waits", "done");
    }

    @Test
    void shouldCloseAllWorkWhenTheTaskEnds() {
        queue.add(new Reading("waits", Work.Progress.WAITING), offset++);
        slice();

        queue.close();

        assertThat(closed).containsExactly("waits");
    }

    /** At least once, an order may come again: two pieces of work under one name would write over each other. */
    @Test
    void shouldReplaceWorkOfTheSameName() {
        queue.add(new Reading("former", Work.Progress.WAITING), offset++);
        queue.add(new Reading("later", Work.Progress.WAITING), offset++);

        slice();

        assertThat(closed).containsExactly("former");
        assertThat(stepped).containsExactly("later");
    }

    private void slice() {
        queue.slice(NOW_MS, WorkFixture.budget());
    }
}
