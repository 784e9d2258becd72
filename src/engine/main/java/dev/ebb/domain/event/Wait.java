package dev.ebb.domain.event;

/**
 * What a record waits for before it can be taken in (O-20). Records that wait for the same thing are asked about once and
 * taken up together; {@code what} alone tells one thing from another.
 *
 * @param what names it for people, for example {@code schema 7}
 * @param kind why it is not there, as far as that is known
 * @param problem the same in more words; empty if there is nothing to add
 */
public record Wait(String what, Kind kind, String problem) {

    /** For the policies that were there at the start, and for the holds that the partition has confirmed. */
    public static final Wait POLICIES = new Wait("the policies", Kind.POLICIES, "");

    /** For nothing but its turn. */
    public static final Wait TURN = new Wait("its turn", Kind.TURN, "");

    /** With its id behind it, the name of a schema. */
    public static final String SCHEMA = "schema ";

    private static final int MAX_PROBLEM = 500;

    /** Why something is not there. */
    public enum Kind {
        /** The policies that were there at the start are not in force yet. */
        POLICIES,
        /** The registry is being asked. */
        SCHEMA,
        /** The registry does not answer; it is asked again and again. */
        REGISTRY_AWAY,
        /** The registry does not let this instance read; its operator must look at the credentials. */
        NOT_ALLOWED,
        /** The registry answers that it cannot give the schema whole; it hardly heals by itself. */
        SCHEMA_UNUSABLE,
        /** The stream itself is in the middle of something; see {@link Wait#ofStream}. */
        STREAM,
        /** It is read again as soon as its turn comes. */
        TURN
    }

    public Wait {
        if (problem.length() > MAX_PROBLEM) {
            problem = problem.substring(0, MAX_PROBLEM) + "…";
        }
    }

    /** For something that has only been asked for. */
    public static Wait of(String what) {
        return new Wait(what, Kind.SCHEMA, "");
    }

    /**
     * For a stream that must finish something first.
     *
     * @param what names stream and work, for example {@code the rearrangement of orders/1}
     */
    public static Wait ofStream(String what) {
        return new Wait(what, Kind.STREAM, "");
    }

    /** The same, with what is known now of why it is not there. */
    public Wait because(Kind newKind, String newProblem) {
        return new Wait(what, newKind, newProblem);
    }

    /** For people: the thing, and why it is not there. */
    public String text() {
        return problem.isEmpty() ? what : what + ": " + problem;
    }
}
