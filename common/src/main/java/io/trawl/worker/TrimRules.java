package io.trawl.worker;

import io.trawl.channel.ControlTopic;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicTrimmer.OtherReaders;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.ledger.LedgerUnavailableException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What must not be deleted, although the group of its topic has handled it. */
record TrimRules(TopicNames topicNames, ControlTopic control, Supplier<LogEndCheck> logs) implements OtherReaders {
    private static final Logger LOG = LoggerFactory.getLogger(TrimRules.class);

    @Override
    public boolean whole() throws InterruptedException {
        try (LogEndCheck check = logs.get()) {
            return check.below().isEmpty();
        } catch (LedgerUnavailableException e) {
            LOG.debug("nothing is deleted now: {}", e.getMessage());
            return false;
        }
    }

    /**
     * What is handled of a crawl was handled by members that knew its definition, so after their offsets were read, a
     * look at the end of {@code control} sees every archive that needs those records.
     */
    @Override
    public List<String> of(String topic) throws InterruptedException {
        if (!topic.equals(topicNames.responses())) {
            return List.of();
        }
        control.refresh();
        return control.archives() ? List.of(topicNames.archiveGroup()) : List.of();
    }
}
