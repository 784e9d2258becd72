package dev.ebb.cli.client;

/**
 * Threads that Java's HTTP client leaves behind. It cannot be closed before Java 21, and the end of the process waits 0.3 s
 * for a thread that listens to the network, which is as long as all the rest of a command.
 */
public final class HttpThreads {

    private static final String BEGIN = "HttpClient-";
    private static final String END = "-SelectorManager";
    private static final long LONGEST_MILLIS = 100;

    private HttpThreads() {}

    /** Ends them, in a process that asks nothing more. Where Java names them otherwise, nothing happens. */
    public static void end() {
        Thread[] threads = new Thread[2 * Thread.activeCount() + 8];
        int found = Thread.enumerate(threads);
        for (int i = 0; i < found; i++) {
            Thread thread = threads[i];
            if (thread.getName().startsWith(BEGIN) && thread.getName().endsWith(END)) {
                thread.interrupt();
                await(thread);
            }
        }
    }

    private static void await(Thread thread) {
        try {
            thread.join(LONGEST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
