package dev.ebb.api;

/** What is asked for is kept by another instance, which must be asked instead. */
public final class OtherInstanceException extends RuntimeException {

    private final String address;

    /**
     * @param what what it keeps, as the beginning of a sentence
     * @param address host and port of its API
     */
    public OtherInstanceException(String what, String address) {
        super(what + " is kept by the instance at " + address + "; ask there");
        this.address = address;
    }

    /** Host and port of the API of the instance that knows. */
    public String address() {
        return address;
    }
}
