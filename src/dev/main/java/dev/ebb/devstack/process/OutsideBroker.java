package dev.ebb.devstack.process;

/** A broker that is run for a stack from outside, for example in a container, in place of a process of the stack. */
public interface OutsideBroker extends AutoCloseable {

    /** Where it can be reached, as long as the stack runs; {@code host:port}. */
    String bootstrapServers();

    /** Called once, when everything that needs the broker has stopped. */
    @Override
    void close();
}
