package io.trawl.coordinator.seedlist;

import io.trawl.coordinator.seedlist.SeedList.ListedSeed;
import io.trawl.model.InvalidValueException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.ZipException;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

/** The URLs of what a WARC file has: responses, revisits and resources of the web. Not thread-safe. */
final class WarcUrls {
    private final WarcReader reader;
    private long record;
    private boolean over;

    /** @param in without compression */
    WarcUrls(InputStream in) throws IOException {
        this.reader = new WarcReader(in);
    }

    /**
     * The next URL; empty at the end.
     *
     * @throws InvalidValueException if the file is damaged; it has ended then
     */
    Optional<ListedSeed> next() throws IOException {
        try {
            for (Optional<WarcRecord> next = read(); next.isPresent(); next = read()) {
                record++;
                Optional<String> url = switch (next.get()) {
                    case WarcResponse response -> Optional.of(response.target());
                    case WarcRevisit revisit -> Optional.of(revisit.target());
                    case WarcResource resource -> Optional.of(resource.target());
                    default -> Optional.empty();
                };
                if (url.filter(SeedList::ofTheWeb).isPresent()) {
                    return url.map(text -> ListedSeed.of(place(record), text));
                }
            }
            return Optional.empty();
        } catch (ParsingException | EOFException | ZipException e) {
            over = true;
            throw new InvalidValueException(place(record + 1), "", "a record of WARC (" + e.getMessage() + ")");
        }
    }

    private Optional<WarcRecord> read() throws IOException {
        return over ? Optional.empty() : reader.next();
    }

    private static String place(long number) {
        return "record " + number;
    }
}
