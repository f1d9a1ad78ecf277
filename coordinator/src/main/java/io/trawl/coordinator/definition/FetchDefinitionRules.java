package io.trawl.coordinator.definition;

import io.trawl.admission.AcceptedName;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.RequestOptionRules;
import io.trawl.definition.RequestOptionRules.HeaderRules;
import io.trawl.model.FetchOptions;
import io.trawl.definition.Hidden;
import io.trawl.definition.HostCredentials;
import io.trawl.definition.ProxyAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rules for the part {@code fetch} of a definition, and for the secrets that requests carry. */
final class FetchDefinitionRules {
    private static final String PROXY = "http://host:port, or http://user:${env:" + CrawlVariables.SECRET
            + "NAME}@host:port, since a secret stands in no definition";
    /** Headers that prove who sends a request. */
    private static final Set<String> CREDENTIALS = Set.of("authorization");

    private FetchDefinitionRules() {}

    static void check(FaultCollector faultCollector, FetchRules fetch) {
        faultCollector.each("fetch.ignoreRobots", fetch.ignoreRobots(),
                (field, host) -> faultCollector.note(() -> AcceptedName.of(field, host))
                        .ifPresent(name -> faultCollector.unless(name.equals(host), field, host,
                                "in normal form, '" + name + "'")));
        secrets(faultCollector, "fetch", fetch.headers());
        Stream.concat(RequestOptionRules.faults(fetch.headers(), fetch.cookie()),
                SeedRules.hidden(fetch.headers(), fetch.cookie()))
                .forEach(f -> faultCollector.unless(false, "fetch." + f.field(), f.value(), f.rule()));
        fetch.proxy().ifPresent(p -> proxy(faultCollector, "fetch.proxy", p));
        faultCollector.each("fetch.proxies", fetch.proxies(), (field, p) -> proxy(faultCollector, field, p));
        faultCollector.each("fetch.rules", fetch.rules(), (field, rule) -> {
            faultCollector.unless(rule.match().isPresent(), field + ".match", "",
                    "a pattern of URLs, such as example.org/api/**");
            Stream.concat(RequestOptionRules.faults(rule.headers(), rule.cookie()),
                    SeedRules.hidden(rule.headers(), rule.cookie()))
                    .forEach(f -> faultCollector.unless(false, field + "." + f.field(), f.value(), f.rule()));
            secrets(faultCollector, field, rule.headers());
            rule.method().ifPresent(name -> method(faultCollector, field + ".method", name, fetch.fetcher()));
        });
        faultCollector.each("fetch.auth", fetch.auth(),
                (field, credentials) -> credentials(faultCollector, field, credentials));
        LoginRules.check(faultCollector, "fetch.login", fetch.login());
    }

    private static void proxy(FaultCollector faultCollector, String field, String proxy) {
        RequestOptionRules.proxyFault(proxy).ifPresent(fault -> faultCollector.add(() -> fault.of(field)));
        faultCollector.unless(!Hidden.in(proxy), field, proxy, Hidden.RULE);
        proxySecret(faultCollector, field, Optional.of(proxy));
    }

    /** A fault if a proxy is named with a secret that stands there itself. */
    static void proxySecret(FaultCollector faultCollector, String field, Optional<String> proxy) {
        faultCollector.unless(proxy.filter(text -> !Hidden.in(text) && !ProxyAddress.hasNoSecret(text)).isEmpty(),
                field, Hidden.userInfo(proxy.orElse("")), PROXY);
    }

    private static void method(FaultCollector faultCollector, String field, String name, Optional<String> fetcher) {
        faultCollector.unless(RequestOptionRules.method(name), field, name, RequestOptionRules.METHOD);
        fetcher.filter(other -> !other.equals(FetchOptions.HTTP)).ifPresent(other -> faultCollector
                .unless(name.equals("GET"), field, name, "GET, since the fetcher '" + other + "' sends no other"));
    }

    private static void credentials(FaultCollector faultCollector, String field, HostCredentials credentials) {
        String host = credentials.host();
        String name = host.replaceFirst(":[0-9]{1,5}$", "");
        faultCollector.note(() -> AcceptedName.of(field + ".host", name)).ifPresent(normal -> faultCollector
                .unless(normal.equals(name), field + ".host", host, "in normal form, '" + normal + "'"));
        boolean basic = credentials.user().isPresent() && credentials.password().isPresent()
                && credentials.bearer().isEmpty();
        boolean bearer = credentials.bearer().isPresent() && credentials.user().isEmpty()
                && credentials.password().isEmpty();
        faultCollector.unless(basic || bearer, field, host, "either user and password, or bearer");
        credentials.user()
                .ifPresent(user -> faultCollector.unless(
                        !user.isEmpty() && user.indexOf(':') < 0 && !CrawlVariables.in(user) && HeaderRules.value(user),
                        field + ".user", user, "visible ASCII characters without a colon"));
        credentials.password().ifPresent(secret -> secret(faultCollector, field + ".password", secret));
        credentials.bearer().ifPresent(secret -> secret(faultCollector, field + ".bearer", secret));
    }

    /** A fault unless the value is a reference, so that the secret stands elsewhere. */
    static void secret(FaultCollector faultCollector, String field, String value) {
        Optional<String> rule = CrawlVariables.fault(value, CrawlVariables.SECRET);
        faultCollector.unless(rule.isEmpty() && value.startsWith("$") && CrawlVariables.only(value), field, Hidden.TEXT,
                rule.orElse(CrawlVariables.RULE));
    }

    /** Faults of headers that prove who sends a request, unless they refer to the environment. */
    static void secrets(FaultCollector faultCollector, String group, Map<String, String> headers) {
        new TreeMap<>(headers).forEach((name, value) -> faultCollector.unless(
                !CREDENTIALS.contains(name.toLowerCase(Locale.ROOT)) || Hidden.in(value) || CrawlVariables.in(value),
                group + ".headers." + name, Hidden.TEXT, CrawlVariables.RULE));
    }
}
