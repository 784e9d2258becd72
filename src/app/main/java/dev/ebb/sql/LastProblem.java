package dev.ebb.sql;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The problem of work that is repeated until it succeeds; logged when it changes, not at each try. Thread-safe. */
final class LastProblem {

    private static final Logger LOGGER = LoggerFactory.getLogger(LastProblem.class);

    private final String work;
    private volatile Optional<String> problem = Optional.empty();

    /** @param work the name of the work, for the log */
    LastProblem(String work) {
        this.work = work;
    }

    /** Returns the problem in one line; empty if there is none. */
    Optional<String> get() {
        return problem;
    }

    void succeeded() {
        if (problem.isPresent()) {
            LOGGER.atInfo().addKeyValue("work", work).log("works again");
        }
        problem = Optional.empty();
    }

    void failed(RuntimeException e) {
        String now = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (!problem.equals(Optional.of(now))) {
            LOGGER.atWarn()
                    .addKeyValue("work", work)
                    .addKeyValue("problem", now)
                    .log("does not work, trying again");
            LOGGER.atDebug().addKeyValue("work", work).setCause(e).log("does not work");
        }
        problem = Optional.of(now);
    }
}
