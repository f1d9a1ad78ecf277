package io.trawl.field;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The texts that a field may have. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
public @interface OneOf {
    /** All of them. */
    String[] value();
}
