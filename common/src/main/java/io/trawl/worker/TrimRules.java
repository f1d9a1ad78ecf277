package io.trawl.worker;

import io.trawl.channel.ControlTopic;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.channel.TopicTrimmer.OtherReaders;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Settings.TopicSettings;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Of which topics handled records are deleted, and which of them must not be. */
record TrimRules(TopicNames topicNames, ControlTopic control, Supplier<LogEndCheck> logs) implements OtherReaders {
    private static final Logger LOG = LoggerFactory.getLogger(TrimRules.class);

    /** The topics from which processes of this kind delete handled records. */
    List<TopicSpec> topics(TopicSettings settings, ModuleKind kind) {
        return TopicSpec.all(topicNames, settings, control.channels().map(topicNames::requests).orElse(List.of()))
                .stream().filter(topic -> topic.trimmedBy(kind)).toList();
    }

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
