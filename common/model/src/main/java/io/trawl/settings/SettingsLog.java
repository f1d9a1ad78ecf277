package io.trawl.settings;

import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.FleetSettings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs, once, the settings of this process that are ignored since {@code control} has other values, and each later
 * change. Calls come one at a time.
 */
public final class SettingsLog implements Consumer<ControlRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsLog.class);
    private final SettingsInForce inForce;
    private boolean channelsKnown;
    private Optional<Map<String, Long>> before = Optional.empty();

    /** @param inForce what holds in this process */
    public SettingsLog(SettingsInForce inForce) {
        this.inForce = inForce;
    }

    @Override
    public void accept(ControlRecord record) {
        if (record instanceof Channels && !channelsKnown) {
            channelsKnown = true;
            inForce.ignored(false).forEach(LOG::warn);
        } else if (record instanceof FleetSettings now) {
            before.ifPresentOrElse(old -> {
                Map<String, Long> changed = new TreeMap<>(now.values());
                changed.entrySet().removeAll(old.entrySet());
                LOG.info("the settings of the deployment have changed: {}", changed);
            }, () -> inForce.ignored(true).forEach(LOG::warn));
            before = Optional.of(now.values());
        }
    }
}
