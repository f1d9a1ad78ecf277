package io.trawl.field;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The form of a text; of a list, of each of its elements. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
public @interface Form {
    /** The regular expression of the whole text. */
    String regexp();

    /** The same in words, for users. */
    String rule();

    /** Whether no fault shows the text. */
    boolean secret() default false;
}
