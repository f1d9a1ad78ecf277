/**
 * The commands that drive crawls, signs and whole deployments: start, stop, close, reset, namespace. Input: options.
 * Output: calls of the REST interface; {@code namespace} alone asks Kafka and Redis itself, since it runs while no
 * coordinator does.
 */
@NullMarked
package io.trawl.standalone.operate;

import org.jspecify.annotations.NullMarked;
