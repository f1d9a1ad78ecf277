/**
 * A real browser shows the dashboard of a real fleet. The DevTools protocol drives it, so the tests need nothing but a
 * Chromium.
 */
@NullMarked
package io.trawl.standalone.ui;

import org.jspecify.annotations.NullMarked;
