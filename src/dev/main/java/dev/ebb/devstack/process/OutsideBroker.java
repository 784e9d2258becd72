package dev.ebb.devstack.process;

/** A broker that runs outside the stack, for example in a container, in place of a process of the stack. */
public interface OutsideBroker extends AutoCloseable {

    /** Returns the {@code host:port} of the broker, which is valid as long as the stack runs. */
    String bootstrapServers();

    /** Closes the broker; called once, when everything that needs it has stopped. */
    @Override
    void close();
}
