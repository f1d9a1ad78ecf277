package io.trawl.downloader.fetch;

import io.trawl.time.Time;
import java.nio.file.Path;
import java.util.Optional;

/** Archives that answer requests instead of the web. The jar that reads archives names its class as a plug-in does. */
public interface ArchiveSource {
    /**
     * The fetcher that answers from them. It sends nothing.
     *
     * @param folder that has the folders of archives, one of which a profile names; absent: there are none
     * @param bodyLimit of the body of an answer
     */
    Fetcher fetcher(Optional<Path> folder, int bodyLimit, Time time);
}
