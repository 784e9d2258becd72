package dev.ebb.wire.read;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes one parameter of a read, where the defaults of {@link ReadParameter} are not enough. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Parameter {

    /** Returns one or several sentences; {@code {words}} stands for all values of an enum. */
    String value();

    /** Returns the word for the value in help texts; the usual one, or the name in upper case, if it is empty. */
    String label() default "";

    /** Returns the name of the parameter; the name of the component if it is empty. */
    String name() default "";

    /** Returns the option of the command line; the name of the parameter if it is empty. */
    String option() default "";
}
