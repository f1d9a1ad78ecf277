/** Whole crawls through generated webs. They take long: in the order of names they are the first of all modules. */
@NullMarked
package io.trawl.web;

import org.jspecify.annotations.NullMarked;
