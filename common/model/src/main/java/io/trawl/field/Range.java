package io.trawl.field;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The smallest and the largest value of a number or a duration, both included; of a list, of each of its elements. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
public @interface Range {
    /** As a user writes it, such as {@code 1} or {@code 100ms}. */
    String min();

    /** The same; empty: no limit. */
    String max() default "";

    /** What the smallest value stands for, such as {@code no limit}; empty: for itself. */
    String lowest() default "";
}
