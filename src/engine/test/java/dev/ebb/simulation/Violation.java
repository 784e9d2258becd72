package dev.ebb.simulation;

/** A law that does not hold. */
final class Violation extends AssertionError {

    private static final long serialVersionUID = 1;

    private final String law;

    /** @param law names it, so that a shortened walk can be told to break the same one */
    Violation(String law, String what) {
        super(law + ": " + what);
        this.law = law;
    }

    /** Failure that ended a step that must not fail. */
    Violation(Throwable failure) {
        super(lawOf(failure) + ": " + failure.getMessage(), failure);
        this.law = lawOf(failure);
    }

    private static String lawOf(Throwable failure) {
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.ebb.")
                    && !frame.getClassName().contains("simulat")) {
                String type =
                        frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
                return failure.getClass().getSimpleName() + " in " + type + "." + frame.getMethodName();
            }
        }
        return failure.getClass().getSimpleName();
    }

    String law() {
        return law;
    }
}
