package io.trawl.standalone.crawl;

import io.trawl.model.Sha256;
import io.trawl.admission.HostKeyFactory;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.SeedSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Derives the id of a crawl from its seeds, domains and depth, independent of their order and of other options. */
public final class DerivedId {
    private static final int LONGEST_NAME = 50;
    private static final int DIGITS = 8;

    private DerivedId() {}

    /**
     * A readable id: the first host in alphabetical order of the seeds, or the name of the list, and 8 hex digits of a
     * hash of all.
     *
     * @param seeds URLs in normal form
     * @param list of further seeds, at least if there are no URLs
     * @param domains in normal form; empty for those of the seeds
     */
    public static CrawlId of(List<String> seeds, Optional<SeedSource> list, List<String> domains, int depth) {
        TreeSet<String> sorted = new TreeSet<>(seeds);
        String identity = String.join("\n", sorted) + list.map(from -> "\n" + from.path()).orElse("") + "\n\n"
                + String.join("\n", new TreeSet<>(domains)) + "\n\n" + depth;
        String name = sorted.isEmpty()
                ? list.map(SeedSource::name).orElse("").replaceFirst(".*/(?=.)", "")
                : HostKeyFactory.host(HostKeyFactory.of(sorted.first()));
        return new CrawlId(word(name) + "-" + Sha256.hex(identity).substring(0, DIGITS));
    }

    private static String word(String text) {
        String name = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-").replaceAll("^[^a-z0-9]+", "")
                .replaceAll("[^a-z0-9]+$", "");
        String cut = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        return cut.isEmpty() ? "crawl" : cut;
    }
}
