package dev.ebb.domain;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component of a reported record. The description is that of the field in REST and on the topic of
 * results, and the name of its row in the tables of the command line, so nothing else has to name the component.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Reported {

    /** Returns the meaning of the component, in one sentence. */
    String value();

    /** Returns the name of its row in tables; empty for no row. */
    String label() default "";

    /** Returns the name of this row in a dry run, where it is another one. */
    String dryLabel() default "";

    /**
     * Returns the component that counts a part of this one and has a row of its own. The row of this one then has the
     * rest, so that a table shows no event twice; empty for none.
     */
    String without() default "";

    /** Returns the runs in which its row is shown. */
    Run in() default Run.BOTH;

    /** Returns true if the row is shown even for 0; others are left out. */
    boolean always() default false;

    /** Returns true if the number counts nothing, such as a version: tables show it without separators. */
    boolean plain() default false;

    /** Runs of a command. */
    enum Run {
        BOTH,
        REAL,
        DRY
    }
}
