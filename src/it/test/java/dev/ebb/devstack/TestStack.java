package dev.ebb.devstack;

import java.nio.file.Path;

/** Services for the tests of one process, while other processes of tests may run theirs. */
public final class TestStack {

    /** The usual ports have differences that are no multiple of it, so that two offsets never meet. */
    private static final int STEP = 100;

    private static final int OFFSETS = 190;

    private TestStack() {}

    /** Away from the usual ports and from those of the others: what is stopped for a while must find its own free. */
    public static DevStackBuilder builder(Path folder) {
        return onUsualPorts(folder).portOffset(portOffset());
    }

    /** As {@code ebb dev} starts it, but soon. */
    static DevStackBuilder onUsualPorts(Path folder) {
        return ClassArchives.into(DevStack.builder(folder));
    }

    /** Offset of the ports of this process from the usual ones, 200 to 19,100. */
    public static int portOffset() {
        return 2 * STEP + STEP * (int) (ProcessHandle.current().pid() % OFFSETS);
    }
}
