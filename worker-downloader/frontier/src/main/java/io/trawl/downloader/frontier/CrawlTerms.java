package io.trawl.downloader.frontier;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.definition.url.IdentityRules;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.scope.PagesRule;
import io.trawl.scope.ScopeRefusal;
import io.trawl.scope.ScopeRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the frontier needs to know about crawls; called on its thread, never blocks. */
@FunctionalInterface
public interface CrawlTerms {
    /** The current terms of a run. */
    Terms terms(CrawlRun run);

    /**
     * The terms of one run.
     *
     * @param status whether it is present, over, or unknown
     * @param fetches whether its requests may be fetched
     * @param delay the pause between two requests of a host
     * @param profile settings that all its fetches share
     * @param mode how depths are compared
     * @param hostLimits the budget of each host, if there is one
     * @param weight its part of the slots and of the turns of a host, in proportion to the weights of other runs
     * @param limited whether it has a limit of pages or bytes, so that each fetch needs a permit
     * @param scope what is in scope now
     * @param identity which URLs are names of one page
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    record Terms(RunStatus status, boolean fetches, Duration delay, FetchProfile profile, DepthMode mode,
            Optional<HostLimits> hostLimits, int weight, boolean limited, TermsOfScope scope,
            IdentityRules identity) implements TermsBuilder.With {
        private static final int MOST_OF_A_FETCHER = 64;

        /** Terms of a plain fetcher without a proxy, with the usual weight. */
        public Terms(RunStatus status, boolean fetches, Duration delay, String userAgent, DepthMode mode) {
            this(status, fetches, delay, new FetchProfile(userAgent), mode, Optional.empty(),
                    CrawlDefinition.DEFAULT_WEIGHT, false, TermsOfScope.EVERYTHING, IdentityRules.DEFAULT);
        }

        /**
         * The request that continues this one at another address, if the answer to it is a redirect to the same page
         * under another name: as an answer it would be the only one of the page. The same address is another one for a
         * host that receives the cookies that it has set meanwhile. Neither domains nor scope judge the address, or the
         * page would depend on which of its names came first.
         */
        Optional<Request> moved(Request request, Outcome outcome) {
            boolean again = profile.session().keeps(request.host());
            return (again || !identity.equals(IdentityRules.DEFAULT)) && request.redirects() < Request.LONGEST_CHAIN
                    && outcome instanceof Outcome.Redirect(int redirect, String location, _)
                    && UrlNormalizer.resolve(request.url(), location) instanceof NormalUrl(String target)
                    && target.length() <= Request.LONGEST_URL && (again || !target.equals(request.url()))
                            ? Optional.of(request.movedTo(target, HostKeyFactory.of(target), redirect))
                                    .map(moved -> moved.withCanonical(identity.canonical(target, moved.options())))
                                    .filter(moved -> moved.identity().equals(request.identity()))
                            : Optional.empty();
        }

        /**
         * How many exchanges the run may have in flight in any case: those of a fetcher of a plug-in wait for each
         * other.
         */
        int mostInFlight() {
            return profile.fetcher().isPresent() ? MOST_OF_A_FETCHER : Integer.MAX_VALUE;
        }

        /** The {@code User-Agent} header. */
        public String userAgent() {
            return profile.userAgent();
        }

        /** The terms of a run that is not present: nothing is fetched. */
        public static Terms absent(RunStatus runStatus) {
            return new Terms(runStatus, false, Duration.ZERO, "", DepthMode.DISCOVERY);
        }
    }

    /**
     * What is in scope of one run.
     *
     * @param version of the definition that says so
     * @param rules for URLs
     * @param maxPages budgets of patterns
     * @param requisites the budget of requisites, if there is one
     */
    record TermsOfScope(long version, ScopeRules rules, List<PagesRule> maxPages, Optional<PagesRule> requisites) {
        /** Without rules. */
        public static final TermsOfScope EVERYTHING = new TermsOfScope(0, ScopeRules.within(Request.LARGEST_DEPTH),
                List.of());

        /** Without a budget of requisites. */
        public TermsOfScope(long version, ScopeRules rules, List<PagesRule> maxPages) {
            this(version, rules, maxPages, Optional.empty());
        }

        /** The budget that a request uses, besides that of its host: a source uses none. */
        Optional<PagesRule> budget(Request request) {
            if (request.options().requisite()) {
                return requisites;
            }
            return request.options().source() ? Optional.empty() : PagesRule.first(maxPages, request.url());
        }

        /**
         * The rule that refuses a request that waits, now that its turn has come. The definition that admitted it
         * refuses nothing, and neither does an older one: this process has not read the newer one yet.
         *
         * @param depth at which it would be fetched
         */
        Optional<ScopeRefusal> refusal(Request request, int depth) {
            return version <= request.definition() ? Optional.empty() : rules.refusal(request, depth);
        }
    }
}
