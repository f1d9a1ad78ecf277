/**
 * Validates the deployment files against the types of the Kubernetes API and the settings and metrics of the processes.
 */
@NullMarked
package io.trawl.kubernetes;

import org.jspecify.annotations.NullMarked;
