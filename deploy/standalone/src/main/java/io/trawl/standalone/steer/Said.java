package io.trawl.standalone.steer;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.view.CrawlView;
import java.util.List;

/** What a command that changed a crawl says afterwards. Pure. */
final class Said {
    private Said() {}

    /** The state that a crawl is in now. */
    static List<String> state(JsonNode json) {
        CrawlView crawl = new CrawlView(json);
        return List.of("crawl " + Cell.of(crawl.run()).text() + " is " + crawl.stateCell().text());
    }
}
