package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * One run of a crawl: its id and its epoch, which starts at 1 and grows whenever the crawl is initialised again with an
 * empty ledger. Written as {@code docs/1}.
 */
public record CrawlRun(CrawlId crawl, int epoch) {
    private static final Pattern EPOCH = Pattern.compile("[1-9][0-9]{0,8}");

    /** @throws InvalidValueException if the epoch is not positive */
    public CrawlRun {
        if (epoch < 1) {
            throw new InvalidValueException("epoch", Integer.toString(epoch), "at least 1");
        }
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws InvalidValueException if the text is not of the form {@code crawl/epoch}
     */
    @JsonCreator
    public static CrawlRun parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 1 || !EPOCH.matcher(text.substring(slash + 1)).matches()) {
            throw new InvalidValueException("run", text, "crawl/epoch, for example docs/1");
        }
        return new CrawlRun(new CrawlId(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    @Override
    @JsonValue
    public String toString() {
        return crawl + "/" + epoch;
    }
}
