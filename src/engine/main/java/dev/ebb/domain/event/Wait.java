package dev.ebb.domain.event;

/**
 * The thing for which a record waits before it can be taken in (O-20). Ebb asks once for all records that wait for one
 * thing, and takes them up together; {@code what} alone tells one thing from another.
 *
 * @param what the name of the thing for people, for example {@code schema 7}
 * @param kind reason why the thing is not there, as far as it is known
 * @param problem the reason in more words; empty if there is nothing to add
 */
public record Wait(String what, Kind kind, String problem) {

    /** Wait for the policies that were there at the start, and for the holds that the partition has confirmed. */
    public static final Wait POLICIES = new Wait("the policies", Kind.POLICIES, "");

    /** Wait for nothing but the turn of the record. */
    public static final Wait TURN = new Wait("its turn", Kind.TURN, "");

    /** Beginning of the name of a schema; its id follows. */
    public static final String SCHEMA = "schema ";

    private static final int MAX_PROBLEM = 500;

    /** Reasons why something is not there. */
    public enum Kind {
        /** The policies that were there at the start are not in force yet. */
        POLICIES,
        /** A question to the registry is under way. */
        SCHEMA,
        /** The registry does not answer; it is asked again and again. */
        REGISTRY_AWAY,
        /** The registry does not let this instance read; its operator must look at the credentials. */
        NOT_ALLOWED,
        /** The registry answers that it cannot give the complete schema; this fault hardly goes away by itself. */
        SCHEMA_UNUSABLE,
        /** The stream itself is in the middle of something; see {@link Wait#ofStream}. */
        STREAM,
        /** The record is read again as soon as its turn comes. */
        TURN
    }

    public Wait {
        if (problem.length() > MAX_PROBLEM) {
            problem = problem.substring(0, MAX_PROBLEM) + "…";
        }
    }

    /** Wait for something for which the registry has only been asked. */
    public static Wait of(String what) {
        return new Wait(what, Kind.SCHEMA, "");
    }

    /**
     * Wait for a stream that must finish something first.
     *
     * @param what the stream and its work, for example {@code the rearrangement of orders/1}
     */
    public static Wait ofStream(String what) {
        return new Wait(what, Kind.STREAM, "");
    }

    /** This wait with the present reason why the thing is not there. */
    public Wait because(Kind newKind, String newProblem) {
        return new Wait(what, newKind, newProblem);
    }

    /** Text for people: the thing, and the reason why it is not there. */
    public String text() {
        return problem.isEmpty() ? what : what + ": " + problem;
    }
}
