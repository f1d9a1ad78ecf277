package io.trawl.embedded;

import java.security.SecureRandom;
import java.util.HexFormat;

/** A user of the redis-server with a password of 192 random bits. */
record RedisUser(String name, String password) {
    private static final int BYTES = 24;

    /** A user with a new password. */
    static RedisUser random(String name) {
        byte[] password = new byte[BYTES];
        new SecureRandom().nextBytes(password);
        return new RedisUser(name, HexFormat.of().formatHex(password));
    }

    /** The user of the file; a new one if the file has none. */
    static RedisUser in(PropertiesFile file, String name) {
        return file.get(name).map(password -> new RedisUser(name, password))
                .orElseGet(() -> random(name).writtenTo(file));
    }

    /** Records the password. */
    RedisUser writtenTo(PropertiesFile file) {
        file.put(name, password);
        return this;
    }

    /** The user and the password of a URL. */
    String inUrl() {
        return name + ":" + password + "@";
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return name;
    }
}
