package dev.ebb.api;

import dev.ebb.api.FakeInstances.Instance;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Two instances for one test: the first keeps the partitions 0 and 1, the second 2 and 3. */
public final class FakePair implements AfterEachCallback {

    public final FakeInstances instances = new FakeInstances();
    public final Instance one = instances.start();
    public final Instance two = instances.start();

    private final List<AutoCloseable> others = new ArrayList<>();

    public FakePair() {
        instances.give(one, 0, 1);
        instances.give(two, 2, 3);
    }

    /** Closes it behind the test. */
    public void closeLater(AutoCloseable other) {
        others.add(other);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable other : others) {
            other.close();
        }
        instances.close();
    }
}
