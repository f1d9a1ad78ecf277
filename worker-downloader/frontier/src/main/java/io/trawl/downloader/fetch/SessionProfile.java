package io.trawl.downloader.fetch;

import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.admission.HostKeyFactory;
import io.trawl.definition.url.CookieScope;
import io.trawl.definition.url.LoginForm;
import io.trawl.model.HostKey;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a crawl keeps sessions at hosts.
 *
 * @param everywhere whether the cookies that a host sets are kept for it; without it, only those of hosts with a login
 * are
 * @param logins the forms with which it logs in, by their servers
 * @param cookies those of the host of a request, once they are known
 */
public record SessionProfile(boolean everywhere, Map<HostKey, LoginForm> logins, Optional<CookieJar> cookies) {
    /** Every request is that of a guest. */
    public static final SessionProfile GUEST = new SessionProfile(false, Map.of(), Optional.empty());

    /** That of a definition. */
    public static SessionProfile of(FetchRules rules) {
        boolean everywhere = rules.cookies().filter(CookieScope.HOST::equals).isPresent();
        return everywhere || !rules.login().isEmpty()
                ? new SessionProfile(everywhere,
                        rules.login().stream()
                                .collect(Collectors.toMap(form -> HostKeyFactory.of(form.page()), form -> form,
                                        (first, _) -> first)),
                        Optional.empty())
                : GUEST;
    }

    /** Whether cookies of a host are kept. */
    public boolean keeps(HostKey host) {
        return everywhere || logins.containsKey(host);
    }

    /** The form with which it logs in at a host. */
    public Optional<LoginForm> login(HostKey host) {
        return Optional.ofNullable(logins.get(host));
    }

    /** The same with the cookies of a host. */
    public SessionProfile with(CookieJar own) {
        return new SessionProfile(everywhere, logins, Optional.of(own));
    }
}
