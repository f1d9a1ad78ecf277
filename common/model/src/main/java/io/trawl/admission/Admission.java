package io.trawl.admission;

import io.trawl.admission.AdmissionRule.Proposal;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.RefusalReason;
import io.trawl.scope.ScopeRules;
import java.util.List;
import java.util.Optional;

/**
 * The one filter that every URL passes before it may become a request, whether seed, link or redirect target (S8). It
 * judges in two steps, because the last rule asks Redis: first every URL becomes a {@link Candidate}, then a
 * {@link DomainLookup} asks for all domains of a batch at once and turns candidates into verdicts. The ledger decides
 * whether a URL was seen before; the parser decides whether a link may be followed. Immutable and thread-safe.
 */
public final class Admission {
    private static final ScopeRules NO_RULES = ScopeRules.within(0);
    private static final List<AdmissionRule> RULES = List.of(AdmissionRule.values());
    private final int longest;

    /** @param longest the maximum length of a URL in normal form, in characters */
    public Admission(int longest) {
        this.longest = longest;
    }

    /**
     * Judges a seed: depth 0.
     *
     * @param priority the requested level
     * @param levels how many levels the deployment has
     * @param scope the rules of its crawl
     */
    public Candidate seed(Optional<String> url, int priority, int levels, ScopeRules scope) {
        Normalized normal = url.map(UrlNormalizer::normalize)
                .orElseGet(() -> new Refusal(RefusalReason.NO_URL, "there is no URL"));
        return judge(new Proposal(normal, longest, 0, scope, true, priority, levels), Optional.empty());
    }

    /**
     * Judges a reference on a page: a link, or the target of a redirect.
     *
     * @param page the page's URL, or the one in its {@code base} element
     * @param reference as written on the page
     * @param depth at which it would be fetched: one more than the page's for a link, the page's own for a redirect
     * @param scope the rules of the crawl
     */
    public Candidate reference(BaseUrl page, String reference, int depth, ScopeRules scope) {
        return resolved(page, page.resolve(reference), depth, scope);
    }

    /** Judges a reference that has been resolved already; the same as {@link #reference} with its text. */
    public Candidate resolved(BaseUrl page, Normalized url, int depth, ScopeRules scope) {
        return judge(new Proposal(url, longest, depth, scope, false, 0, 1), Optional.of(page));
    }

    /**
     * Judges a source of links, such as a sitemap: of the rules of the crawl it breaks only {@code exclude}, as a seed
     * does.
     */
    public Candidate source(BaseUrl page, Normalized url, int depth, ScopeRules scope) {
        return judge(new Proposal(url, longest, depth, scope, true, 0, 1), Optional.of(page));
    }

    /**
     * Judges a requisite of a page, whatever its depth and domain: of the rules of the crawl it may break all but
     * {@code exclude} and the hosts of requisites.
     */
    public Candidate requisite(BaseUrl page, Normalized url, ScopeRules scope) {
        Candidate candidate = source(page, url, 0, NO_RULES);
        if (!(candidate instanceof Candidate.Open open)) {
            return candidate;
        }
        return scope.refusalOfRequisite(open.url()).<Candidate>map(Refusal::of)
                .orElseGet(() -> new Candidate.Open(open.url(), open.host(), open.domain(), List.of()));
    }

    private Candidate judge(Proposal proposal, Optional<BaseUrl> page) {
        for (AdmissionRule rule : RULES) {
            Optional<Refusal> refusal = rule.refusal(proposal);
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        return switch (proposal.url()) {
            case NormalUrl url -> open(url.text(), page);
            case Refusal refused -> refused;
        };
    }

    private static Candidate open(String url, Optional<BaseUrl> page) {
        UrlAuthority urlAuthority = page.isPresent() ? page.get().siteOf(url) : UrlAuthority.of(url);
        return new Candidate.Open(url, urlAuthority.host(), urlAuthority.domain(), urlAuthority.names());
    }
}
