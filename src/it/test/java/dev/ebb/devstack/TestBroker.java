package dev.ebb.devstack;

import org.junit.jupiter.api.Assumptions;

/** Where the integration tests have their broker from: the one place that knows. */
public interface TestBroker {

    /** Message of the build: {@code container}, or nothing for a process. */
    String SETTING = "it.broker";

    /**
     * A broker for one stack: a process of the stack or, in the profile {@code containers}, a container of its own. The
     * test that asks is skipped if it should be a container and no Docker engine answers.
     */
    static TestBroker ofBuild() {
        if (!System.getProperty(SETTING, "").equals("container")) {
            return new ProcessBroker();
        }
        Assumptions.assumeTrue(
                ContainerBroker.isEngineThere(), "no Docker engine answers, so there is no broker in a container");
        return new ContainerBroker();
    }

    /** Has the stack use it; it is started with the stack, or now, and stopped with it. */
    DevStackBuilder into(DevStackBuilder builder);

    /** Ends it at once, as {@code kill -9} does. */
    void kill(DevStack stack);

    /** Starts it again with its data, at the same address, and returns when it answers. */
    void start(DevStack stack);

    /** A process of the stack. */
    final class ProcessBroker implements TestBroker {

        @Override
        public DevStackBuilder into(DevStackBuilder builder) {
            return builder;
        }

        @Override
        public void kill(DevStack stack) {
            stack.broker().kill();
        }

        @Override
        public void start(DevStack stack) {
            stack.broker().start();
        }
    }
}
