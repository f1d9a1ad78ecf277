/** Checks of the deployment files: against the types of the Kubernetes API, and against what the processes read. */
@NullMarked
package io.trawl.kubernetes;

import org.jspecify.annotations.NullMarked;
