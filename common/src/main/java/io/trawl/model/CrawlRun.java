package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * One run of a crawl: its id and its epoch, which starts at 1 and grows whenever the crawl is initialised anew with an empty ledger. Written as
 * {@code docs/1}.
 */
public record CrawlRun(CrawlId crawl, int epoch) {
    /** @throws InvalidValue if the epoch is not positive */
    public CrawlRun {
        if (epoch < 1) {
            throw new InvalidValue("epoch", Integer.toString(epoch), "at least 1");
        }
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws InvalidValue if the text is not of the form {@code crawl/epoch}
     */
    @JsonCreator
    public static CrawlRun parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 1 || !text.substring(slash + 1).matches("[1-9][0-9]{0,8}")) {
            throw new InvalidValue("run", text, "crawl/epoch, for example docs/1");
        }
        return new CrawlRun(new CrawlId(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    @Override
    @JsonValue
    public String toString() {
        return crawl + "/" + epoch;
    }
}
