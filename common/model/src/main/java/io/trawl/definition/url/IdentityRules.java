package io.trawl.definition.url;

import io.trawl.field.Form;
import io.trawl.field.Size;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.admission.PrimaryDomain;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request.RequestIdentity;
import io.trawl.pattern.Glob;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which URLs are names of one page. The rules make a canonical URL of each one; URLs with the same canonical URL have
 * the same identity, so that one of them is fetched and stored. The canonical URL itself need not exist: requests go to
 * the address that was found. Sources of links are not affected. Pure functions of the URL, so every process comes to
 * the same identity.
 *
 * @param dropParameters globs of the names of parameters of the query, and of the path ({@code ;jsessionid=1}), that do
 * not count
 * @param keepParameters globs of the names of the parameters of the query that count; by default all but the dropped
 * ones
 * @param sortParameters whether the order of parameters with different names does not count
 * @param ignoreScheme whether {@code http} and {@code https} are the same
 * @param ignoreWww whether a host and the one with {@code www.} before it are the same
 * @param ignoreTrailingSlash whether a slash at the end of a path does not count
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record IdentityRules(
        @Size(max = 100) @Form(regexp = IdentityRules.NAME, rule = IdentityRules.NAME_RULE) List<String> dropParameters,
        @Size(max = 100) @Form(regexp = IdentityRules.NAME, rule = IdentityRules.NAME_RULE) List<String> keepParameters,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean sortParameters,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ignoreScheme,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ignoreWww,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ignoreTrailingSlash)
        implements
            IdentityRulesBuilder.With {
    /** Each URL in normal form is a page of its own. */
    public static final IdentityRules DEFAULT = IdentityRulesBuilder.builder().build();
    static final String NAME = "[^&=?#;]{1,100}";
    static final String NAME_RULE = "the name of a parameter, with * for any characters: 1 to 100 characters without & = ? # ;";
    private static final String WWW = "www.";

    /** Copies the lists. */
    public IdentityRules {
        dropParameters = dropParameters == null ? List.of() : List.copyOf(dropParameters);
        keepParameters = keepParameters == null ? List.of() : List.copyOf(keepParameters);
    }

    /**
     * The canonical URL of a request, if it is another one than its URL.
     *
     * @param url in normal form
     */
    public Optional<String> canonical(String url, FetchOptions options) {
        if (equals(DEFAULT) || !options.page()) {
            return Optional.empty();
        }
        String canonical = canonical(url);
        return canonical.equals(url) ? Optional.empty() : Optional.of(canonical);
    }

    /** The identity of a request for this URL, as {@link io.trawl.model.Request#identity()} has it. */
    public String identity(String url, FetchOptions options) {
        return RequestIdentity.of(canonical(url, options).orElse(url), options);
    }

    private String canonical(String url) {
        int pathBegins = url.indexOf('/', url.indexOf("//") + 2);
        int queryBegins = url.indexOf('?', pathBegins);
        String path = url.substring(pathBegins, queryBegins < 0 ? url.length() : queryBegins);
        String query = queryBegins < 0 ? "" : query(url.substring(queryBegins + 1));
        return site(url.substring(0, pathBegins)) + path(path) + (query.isEmpty() ? "" : "?" + query);
    }

    private String site(String site) {
        int host = site.indexOf("//") + 2;
        String scheme = ignoreScheme ? "https://" : site.substring(0, host);
        String server = site.substring(host);
        while (ignoreWww && www(server)) {
            server = server.substring(WWW.length());
        }
        return scheme + server;
    }

    /** {@code www.co.uk} is not another name of {@code co.uk}. */
    private static boolean www(String server) {
        if (!server.startsWith(WWW)) {
            return false;
        }
        int port = server.lastIndexOf(':');
        String name = port < 0 ? server : server.substring(0, port);
        return PrimaryDomain.of(name).equals(PrimaryDomain.of(name.substring(WWW.length())));
    }

    private String path(String path) {
        String kept = path;
        if (!dropParameters.isEmpty() && path.indexOf(';') >= 0) {
            kept = Arrays.stream(path.split("/", -1)).map(this::segment).collect(Collectors.joining("/"));
        }
        int end = kept.length();
        while (ignoreTrailingSlash && end > 1 && kept.charAt(end - 1) == '/') {
            end--;
        }
        return kept.substring(0, end);
    }

    private String segment(String segment) {
        String[] parts = segment.split(";", -1);
        return Stream
                .concat(Stream.of(parts[0]), Arrays.stream(parts).skip(1).filter(p -> !any(dropParameters, nameOf(p))))
                .collect(Collectors.joining(";"));
    }

    private String query(String query) {
        Stream<String> parameters = Arrays.stream(query.split("&", -1)).filter(this::counts);
        // The sort is stable: what has one name keeps its order, which may mean something.
        return (sortParameters ? parameters.sorted(Comparator.comparing(IdentityRules::nameOf)) : parameters)
                .collect(Collectors.joining("&"));
    }

    private boolean counts(String parameter) {
        String name = nameOf(parameter);
        return !any(dropParameters, name) && (keepParameters.isEmpty() || any(keepParameters, name));
    }

    private static String nameOf(String parameter) {
        int end = parameter.indexOf('=');
        return end < 0 ? parameter : parameter.substring(0, end);
    }

    private static boolean any(List<String> globs, String name) {
        return globs.stream().anyMatch(glob -> Glob.of(glob.replace("*", "**")).matches(name));
    }
}
