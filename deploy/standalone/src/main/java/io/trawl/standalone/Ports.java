package io.trawl.standalone;

import io.trawl.model.InvalidValue;

/** Port options. */
final class Ports {
    private static final int HIGHEST = 65_535;

    private Ports() {}

    /** @throws InvalidValue if the number is no port and not 0 */
    static int checked(String option, int port) {
        if (port < 0 || port > HIGHEST) {
            throw new InvalidValue(option, Integer.toString(port), "1 to " + HIGHEST + ", or 0 for any free one");
        }
        return port;
    }
}
