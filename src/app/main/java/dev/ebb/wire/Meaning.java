package dev.ebb.wire;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a field of a view in the OpenAPI document, where its name is not enough. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Meaning {

    /** Returns one or several sentences. */
    String value();
}
