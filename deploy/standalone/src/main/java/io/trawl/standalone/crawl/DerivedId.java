package io.trawl.standalone.crawl;

import io.trawl.model.Sha256;
import io.trawl.admission.HostKeyFactory;
import io.trawl.model.CrawlId;
import java.util.List;
import java.util.TreeSet;

/** Derives the id of a crawl from its seeds, domains and depth, independent of their order and of other options. */
public final class DerivedId {
    private static final int LONGEST_NAME = 50;
    private static final int DIGITS = 8;

    private DerivedId() {}

    /**
     * A readable id: the first host in alphabetical order of the seeds, and 8 hex digits of a hash of all.
     *
     * @param seeds URLs in normal form, at least one
     * @param domains in normal form; empty for those of the seeds
     */
    public static CrawlId of(List<String> seeds, List<String> domains, int depth) {
        TreeSet<String> sorted = new TreeSet<>(seeds);
        String identity = String.join("\n", sorted) + "\n\n" + String.join("\n", new TreeSet<>(domains)) + "\n\n"
                + depth;
        return new CrawlId(name(sorted.first()) + "-" + Sha256.hex(identity).substring(0, DIGITS));
    }

    private static String name(String url) {
        String host = HostKeyFactory.host(HostKeyFactory.of(url));
        String name = host.replaceAll("[^a-z0-9.-]", "-").replaceAll("^[^a-z0-9]+", "").replaceAll("[^a-z0-9]+$", "");
        String cut = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        return cut.isEmpty() ? "crawl" : cut;
    }
}
