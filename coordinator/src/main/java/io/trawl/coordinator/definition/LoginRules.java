package io.trawl.coordinator.definition;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.UrlNormalizer;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.Hidden;
import io.trawl.definition.url.LoginForm;
import io.trawl.model.HostKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jsoup.select.Selector;

/** The rules for logins: of each server at most one, whose secrets are references. */
final class LoginRules {
    private static final int MOST_FIELDS = 20;
    /** Fields whose names say that they hold a secret. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(pass|pwd|secret|token|pin).*");

    private LoginRules() {}

    static void check(FaultCollector faultCollector, String field, List<LoginForm> logins) {
        Set<HostKey> servers = new HashSet<>();
        faultCollector.each(field, logins, (at, login) -> {
            boolean normal = UrlNormalizer.normalize(login.page()) instanceof NormalUrl(String url)
                    && url.equals(login.page());
            faultCollector.unless(normal && login.page().startsWith("http"), at + ".page",
                    Hidden.userInfo(login.page()),
                    "the URL of a page with a form, in normal form: an absolute http or https URL without a fragment");
            faultCollector.unless(!normal || servers.add(HostKeyFactory.of(login.page())), at + ".page", login.page(),
                    "of a server that no other login is for");
            fields(faultCollector, at + ".fields", login);
            login.form().ifPresent(css -> selector(faultCollector, at + ".form", css));
            login.success().ifPresent(css -> selector(faultCollector, at + ".success", css));
            login.failure().ifPresent(css -> selector(faultCollector, at + ".failure", css));
        });
    }

    private static void fields(FaultCollector faultCollector, String at, LoginForm login) {
        faultCollector.unless(!login.fields().isEmpty() && login.fields().size() <= MOST_FIELDS, at,
                login.fields().size(), "1 to " + MOST_FIELDS + " fields");
        new TreeMap<>(login.fields()).forEach((name, value) -> {
            boolean reference = CrawlVariables.in(value);
            faultCollector.unless(!reference || CrawlVariables.fault(value, CrawlVariables.SECRET).isEmpty(),
                    at + "." + name, Hidden.TEXT, CrawlVariables.fault(value, CrawlVariables.SECRET).orElse(""));
            faultCollector.unless(reference || !SECRET.matcher(name).matches(), at + "." + name, Hidden.TEXT,
                    CrawlVariables.RULE);
        });
    }

    private static void selector(FaultCollector faultCollector, String field, String css) {
        boolean valid;
        try {
            Selector.evaluatorOf(css);
            valid = true;
        } catch (RuntimeException e) {
            valid = false;
        }
        faultCollector.unless(valid, field, css, "a CSS selector");
    }
}
