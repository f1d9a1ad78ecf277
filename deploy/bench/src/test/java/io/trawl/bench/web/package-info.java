@NullMarked
package io.trawl.bench.web;

import org.jspecify.annotations.NullMarked;
