package io.trawl.bench.plugin;

import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.util.Map;

/** Waits {@link PluginDelays#PAGE} for each page. */
public final class WaitingParser implements ResponseParser {
    private final PluginDelays pluginDelays = PluginDelays.of(PluginDelays.PAGE);

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public boolean handles(Page page) {
        return pluginDelays.takes().isPositive();
    }

    @Override
    public Parsed parse(Page page) throws InterruptedException {
        pluginDelays.pass();
        return Parsed.fields(Map.of("waited", pluginDelays.takes().toMillis()));
    }
}
