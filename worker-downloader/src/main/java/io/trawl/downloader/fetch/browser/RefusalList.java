package io.trawl.downloader.fetch.browser;

import io.trawl.api.render.Rendering;
import io.trawl.api.render.Rendering.RefusedRequest;
import io.trawl.api.render.SubrequestRefusal;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a page asked for in vain: all are counted, each of the first is named once. Images and styles, of which a page
 * may have many and whose absence costs no text, are named after all others. Thread-safe.
 */
final class RefusalList {
    private final Set<RefusedRequest> first = new LinkedHashSet<>();
    private final Set<RefusedRequest> last = new LinkedHashSet<>();
    private final Map<SubrequestRefusal, Integer> counts = new EnumMap<>(SubrequestRefusal.class);

    synchronized void add(String url, SubrequestRefusal reason) {
        counts.merge(reason, 1, Integer::sum);
        Set<RefusedRequest> named = reason == SubrequestRefusal.TYPE ? last : first;
        if (named.size() < Rendering.MOST_REFUSED) {
            named.add(new RefusedRequest(url, reason));
        }
    }

    synchronized Map<SubrequestRefusal, Integer> counts() {
        return new EnumMap<>(counts);
    }

    synchronized List<RefusedRequest> named() {
        return Stream.concat(first.stream(), last.stream()).limit(Rendering.MOST_REFUSED).toList();
    }
}
