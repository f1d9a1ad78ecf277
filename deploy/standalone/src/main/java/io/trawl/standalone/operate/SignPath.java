package io.trawl.standalone.operate;

import io.trawl.standalone.client.Api;

/** The paths of stop signs at the REST interface. */
public final class SignPath {
    /** The sign of the whole fleet. */
    public static final String FLEET = "/api/v1/stop-sign";

    private SignPath() {}

    /** Whether this names a process; no crawl has such an id. */
    public static boolean isModule(String name) {
        return name.matches("[DAPC][0-9]+(\\|.*)?");
    }

    /** The sign of a process. */
    public static String ofModule(String name) {
        return FLEET + "?module=" + Api.encoded(name);
    }

    /** The sign of a host. */
    public static String ofHost(String host) {
        return FLEET + "?host=" + Api.encoded(host);
    }
}
