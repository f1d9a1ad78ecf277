/** A real browser looks at the dashboard of a real fleet. It is driven by the DevTools protocol, so nothing but a Chromium is needed. */
@NullMarked
package io.trawl.standalone.ui;

import org.jspecify.annotations.NullMarked;
