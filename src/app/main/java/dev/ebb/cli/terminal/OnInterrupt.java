package dev.ebb.cli.terminal;

/**
 * A message that is shown if the process is asked to end, by Ctrl-C or another signal, before this is closed.
 * Thread-safe.
 */
public final class OnInterrupt implements AutoCloseable {

    private final Thread hook;

    /** @param say shows the message; runs at most once, in a separate thread, while others may still be at work */
    public OnInterrupt(Runnable say) {
        hook = new Thread(say, "on-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the message is being shown.
        }
    }
}
