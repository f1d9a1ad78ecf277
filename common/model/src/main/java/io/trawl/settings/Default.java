package io.trawl.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The value of a setting that is not set, as a user would write it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@interface Default {
    /** The value. */
    String value();
}
