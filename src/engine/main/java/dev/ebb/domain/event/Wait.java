package dev.ebb.domain.event;

/**
 * The thing for which a record waits before it can be taken in (O-20). Records with an equal {@code what} wait for the
 * same thing: Ebb asks for it once and takes these records up together.
 *
 * @param what the name of the thing for people, for example {@code schema 7}
 * @param kind the reason why the thing is missing, as far as it is known
 * @param problem the reason in more words; empty if there is nothing to add
 */
public record Wait(String what, Kind kind, String problem) {

    /** A wait for the policies that existed at the start, and for the holds that the partition has confirmed. */
    public static final Wait POLICIES = new Wait("the policies", Kind.POLICIES, "");

    /** A wait for nothing but the turn of the record. */
    public static final Wait TURN = new Wait("its turn", Kind.TURN, "");

    /** Prefix of the name of a schema, before its id. */
    public static final String SCHEMA = "schema ";

    private static final int MAX_PROBLEM = 500;

    /** Reasons why a thing is missing. */
    public enum Kind {
        /** The policies that existed at the start are not in force yet. */
        POLICIES,
        /** A question to the registry is under way. */
        SCHEMA,
        /** The registry does not answer; Ebb keeps asking. */
        REGISTRY_AWAY,
        /** The registry does not let this instance read; its operator must check the credentials. */
        NOT_ALLOWED,
        /** The registry answers that it cannot provide the complete schema; this fault rarely goes away by itself. */
        SCHEMA_UNUSABLE,
        /** The stream is in the middle of other work; see {@link Wait#ofStream}. */
        STREAM,
        /** The record is read again as soon as its turn comes. */
        TURN
    }

    public Wait {
        if (problem.length() > MAX_PROBLEM) {
            problem = problem.substring(0, MAX_PROBLEM) + "…";
        }
    }

    /** Returns a wait for the registry's answer about {@code what}. */
    public static Wait of(String what) {
        return new Wait(what, Kind.SCHEMA, "");
    }

    /**
     * Returns a wait for a stream that must finish its work first.
     *
     * @param what the stream and its work, for example {@code the rearrangement of orders/1}
     */
    public static Wait ofStream(String what) {
        return new Wait(what, Kind.STREAM, "");
    }

    /** Returns this wait with the present reason why the thing is missing. */
    public Wait because(Kind newKind, String newProblem) {
        return new Wait(what, newKind, newProblem);
    }

    /** Returns the thing and the reason why it is missing, for people. */
    public String text() {
        return problem.isEmpty() ? what : what + ": " + problem;
    }
}
