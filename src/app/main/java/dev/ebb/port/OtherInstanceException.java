package dev.ebb.port;

/** What is asked for is kept by another instance, which must be asked instead. Thrown before anything was changed. */
public final class OtherInstanceException extends RuntimeException {

    private final String what;
    private final String address;

    /**
     * @param what what it keeps, as the beginning of a sentence
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

    /** What the other instance keeps. */
    public String what() {
        return what;
    }

    /** Host and port of the API of the instance that knows. */
    public String address() {
        return address;
    }

    /** The same with the reason why this instance does not ask for it. */
    public OtherInstanceException notAsked(String reason) {
        return new OtherInstanceException(what, address, "ask there. This instance cannot: " + reason);
    }
}
