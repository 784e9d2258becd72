package dev.ebb.port;

/** Signals that another instance keeps the requested data and must be asked instead. Thrown before any change. */
public final class OtherInstanceException extends RuntimeException {

    private final String what;
    private final String address;

    /**
     * @param what the data that the other instance keeps, as the beginning of a sentence
     * @param address host and port of its API
     */
    public OtherInstanceException(String what, String address) {
        this(what, address, "ask there");
    }

    private OtherInstanceException(String what, String address, String advice) {
        super(what + " is kept by the instance at " + address + "; " + advice);
        this.what = what;
        this.address = address;
    }

    /** Returns the data that the other instance keeps. */
    public String what() {
        return what;
    }

    /** Returns host and port of the API of the other instance. */
    public String address() {
        return address;
    }

    /** Returns this exception with the reason why this instance does not ask the other one itself. */
    public OtherInstanceException notAsked(String reason) {
        return new OtherInstanceException(what, address, "ask there. This instance cannot: " + reason);
    }
}
