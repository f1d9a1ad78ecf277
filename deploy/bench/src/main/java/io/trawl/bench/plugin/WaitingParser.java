package io.trawl.bench.plugin;

import io.trawl.analyzer.parse.Page;
import io.trawl.analyzer.parse.Parsed;
import io.trawl.analyzer.parse.ResponseParser;
import io.trawl.model.Response;
import java.util.Map;

/** Waits for {@link Waiting#PAGE} over each page. */
public final class WaitingParser implements ResponseParser {
    private final Waiting waiting = Waiting.of(Waiting.PAGE);

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public boolean handles(Response response) {
        return waiting.takes().isPositive();
    }

    @Override
    public Parsed parse(Page page) throws InterruptedException {
        waiting.pass();
        return Parsed.fields(Map.of("waited", waiting.takes().toMillis()));
    }
}
