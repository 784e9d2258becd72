package dev.ebb.wire;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the schema of the JSON trees in a view, for the OpenAPI document. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface ShownAs {

    /** Returns the name of a schema in {@code schemas.json}. */
    String value();
}
