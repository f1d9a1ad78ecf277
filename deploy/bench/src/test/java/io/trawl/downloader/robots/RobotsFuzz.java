package io.trawl.downloader.robots;

import io.trawl.model.Body;

/** robots.txt: any bytes are a file, which answers for any URL. */
public final class RobotsFuzz {
    private RobotsFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        boolean truncated = input.length % 2 == 1;
        RobotsFile file = RobotsParser.parse(new Body(input), truncated, "text/plain", "trawl");
        file.check("http://example.org/", 4_000_000);
        file.check("http://example.org/a/b.html?c=%C3%A4&d=*$", 4_000_000);
        file.crawlDelay().ifPresent(delay -> {
            if (!delay.isPositive()) {
                throw new AssertionError("a crawl-delay of " + delay);
            }
        });
    }
}
