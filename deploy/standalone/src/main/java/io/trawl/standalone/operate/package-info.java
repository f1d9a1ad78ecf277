/**
 * The commands that change a whole deployment: stop, sink, settings, queue resize, namespace. Input: options. Output:
 * calls of the REST interface; {@code namespace} alone asks Kafka and Redis itself, since it runs while no coordinator
 * does.
 */
@NullMarked
package io.trawl.standalone.operate;

import org.jspecify.annotations.NullMarked;
