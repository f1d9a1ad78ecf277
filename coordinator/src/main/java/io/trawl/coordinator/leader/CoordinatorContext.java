package io.trawl.coordinator.leader;

import io.trawl.admission.Admission;
import io.trawl.control.Channels;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.StageProgress;
import io.trawl.coordinator.queue.CapacityRule;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.queue.QueueWatch;
import io.trawl.coordinator.queue.StageRates;
import io.trawl.coordinator.seed.QuotaRules;
import io.trawl.coordinator.summary.LedgerFollower;
import io.trawl.coordinator.summary.Tally;
import io.trawl.coordinator.webhook.WebhookDispatcher;
import io.trawl.settings.SettingsInForce;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.WorkerContext;

/**
 * The parts that a coordinator has whether it leads or follows.
 *
 * @param context the context of the worker process
 * @param controlState the state in {@code control}
 * @param progress the progress of the other stages
 * @param ledger reads the ledger topic
 * @param queue the backlogs of the channels
 * @param rates the speeds of the stages
 * @param refusals counts the seeds that were refused before they were written to a channel
 * @param admission the rules for URLs
 * @param webhooks notify receivers of events while this coordinator leads
 * @param quotas of the prefixes of crawls
 */
public record CoordinatorContext(WorkerContext context, ControlState controlState, StageProgress progress,
        LedgerFollower ledger, QueueWatch queue, StageRates rates, QueueRefusals refusals, Admission admission,
        WebhookDispatcher webhooks, QuotaRules quotas) {
    /** The sums over the ledger topic. */
    public Tally tally() {
        return ledger.tally();
    }

    /** The rules for definitions and seeds in this deployment. */
    DefinitionRules rules() {
        return new DefinitionRules(admission,
                controlState.channels().map(Channels::levels).orElse(context.settings().topics().levels()),
                context.kafka().topics()::owns);
    }

    /** The settings that are equal in the whole deployment, those included that this process has just written. */
    SettingsInForce inForce() {
        return new SettingsInForce(context.settings(), controlState::channels, controlState::fleetSettings);
    }

    /** The capacities of these channels now. */
    CapacityRule capacity(Channels channels) {
        return new CapacityRule(inForce().number(SharedSetting.CAPACITY), channels.levels());
    }
}
