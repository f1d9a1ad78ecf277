package io.trawl.field;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** How many elements a list may have. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
public @interface Size {
    /** The largest number. */
    int max();
}
