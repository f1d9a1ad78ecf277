package io.trawl.direct;

import io.trawl.definition.CrawlDefinition;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Request;
import java.time.Duration;

/**
 * The body of {@code POST /download} at a downloader: fetch this once, now, in the next turn of its host. The answer is
 * a {@link FramedResponse} for every outcome of the fetch; 421 if another downloader has the host and only its owner
 * may fetch it; 503 with {@code Retry-After} if the host may not be asked in time.
 *
 * @param request what to fetch; its id is never looked at again
 * @param definition whose delay, user agent, profile and proxy hold
 * @param owner whether only the downloader that serves the host's partition may fetch it
 * @param patience for how long at most the answer is waited for, the host's pauses included; at most {@link #LONGEST}
 */
public record DownloadCall(Request request, CrawlDefinition definition, boolean owner, Duration patience) {
    /** Where it is asked. */
    public static final String PATH = "/download";
    /** The longest patience. */
    public static final Duration LONGEST = Duration.ofMinutes(2);

    /** @throws InvalidValueException if a part is missing, or the patience is out of its bounds */
    @SuppressWarnings("ConstantValue")
    public DownloadCall {
        if (request == null || definition == null || patience == null) {
            throw new InvalidValueException("download", "", "request, definition and patience");
        }
        if (request.id() == null || request.run() == null || request.url() == null || request.host() == null) {
            throw new InvalidValueException("request", "", "id, run, url and host");
        }
        if (patience.isNegative() || patience.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("patience", patience.toString(),
                    "not negative, and at most " + LONGEST.toMinutes() + " minutes");
        }
    }
}
