package dev.ebb.port;

/** Counts requests and listeners of the API. Thread-safe. */
public interface RequestMeter {

    /**
     * Notes that a thread begins to answer a request.
     *
     * @param request identifies the request until it is done
     * @param route as in {@link #answered}
     */
    default void begun(Object request, String route) {
        // Nothing is watched.
    }

    /** Notes that the request goes on for as long as the caller listens: that it does not end says nothing. */
    default void listens(Object request) {
        // Nothing is watched.
    }

    /** Notes that the thread has done with the request, however it ended. */
    default void done(Object request) {
        // Nothing is watched.
    }

    /**
     * Counts an answered request.
     *
     * @param route method and path as the route was declared, such as {@code GET /v1/streams/{stream}}; never a name
     *     that a caller has chosen
     * @param status status of the answer
     * @param nanos time until the answer was made, in nanoseconds
     */
    void answered(String route, int status, long nanos);

    /** Adds to the number of listeners for news: 1 for a listener that has come, -1 for one that has gone. */
    void listening(int change);
}
