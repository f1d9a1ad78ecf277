package io.trawl.settings;

import io.trawl.definition.Hidden;
import io.trawl.definition.Webhook;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException.Fault;
import java.util.ArrayList;
import java.util.List;

/** The rules that take code, or several settings; the others stand beside the settings. */
final class SettingsRules {
    private final List<Fault> faults = new ArrayList<>();
    private final Settings settings;

    SettingsRules(Settings settings) {
        this.settings = settings;
    }

    /** The rules that are broken. */
    List<Fault> faults() {
        settings.api().tokensFile().filter(_ -> settings.api().internalKey().isEmpty())
                .ifPresent(file -> fault("API_TOKENS_FILE", file.toString(),
                        "only with TRAWL_API_INTERNAL_KEY, which signs calls between processes"));
        webhook(settings.webhook());
        settings.traces().endpoint().filter(url -> !Webhook.isUrl(url))
                .ifPresent(url -> fault("TRACES_ENDPOINT", Hidden.beyondServer(url), Webhook.URL_RULE));
        List<String> nameServers = settings.downloader().nameServers().orElse(List.of());
        if (!nameServers.equals(List.of(NameServerAddress.SYSTEM))) {
            nameServers.stream().filter(each -> NameServerAddress.read(each).isEmpty())
                    .forEach(each -> faults.add(new Fault(NameServerAddress.FIELD, each, NameServerAddress.RULE)));
        }
        if (settings.downloader().giveUpLongestPause().compareTo(settings.downloader().giveUpPause()) < 0) {
            fault("DOWNLOADER_GIVE_UP_LONGEST_PAUSE", Durations.format(settings.downloader().giveUpLongestPause()),
                    "not shorter than TRAWL_DOWNLOADER_GIVE_UP_PAUSE");
        }
        if (settings.serials().start() > settings.serials().largest()) {
            fault("SERIALS_START", Long.toString(settings.serials().start()), "1 to " + settings.serials().largest());
        }
        return List.copyOf(faults);
    }

    private void webhook(Settings.WebhookSettings webhook) {
        webhook.url().filter(url -> !Webhook.isUrl(url))
                .ifPresent(url -> fault("WEBHOOK_URL", Hidden.beyondServer(url), Webhook.URL_RULE));
        webhook.secret().filter(secret -> Webhook.key(secret).isEmpty())
                .ifPresent(_ -> fault("WEBHOOK_SECRET", Hidden.TEXT, Webhook.SECRET_RULE));
        if (webhook.url().isPresent() != webhook.secret().isPresent()) {
            fault("WEBHOOK_SECRET", webhook.secret().map(_ -> Hidden.TEXT).orElse(""),
                    "set if and only if TRAWL_WEBHOOK_URL is set");
        }
    }

    private void fault(String name, String value, String rule) {
        faults.add(new Fault("TRAWL_" + name, value, rule));
    }
}
