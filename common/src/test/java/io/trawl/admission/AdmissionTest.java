package io.trawl.admission;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import io.trawl.scope.ScopeRules;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTest {
    private static final ScopeRules SCOPE = ScopeRules.within(2);
    private static final Admission ADMISSION = new Admission(100);
    private static final BaseUrl PAGE = BaseUrl.of(new NormalUrl("https://docs.example.org/guide/"));

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"-,1,NO_URL", "'',1,NO_URL", "' ',1,NO_URL", "https://,1,BAD_URL",
            "ftp://example.org,1,SCHEME", "https://example.org,-1,PRIORITY_OUT_OF_INDEX",
            "https://example.org,3,PRIORITY_OUT_OF_INDEX", "'',9,NO_URL"})
    void aSeedIsRefusedByTheFirstRuleItBreaks(String url, int priority, RefusalReason reason) {
        assertThat(ADMISSION.seed(Optional.ofNullable(url), priority, 3, SCOPE)).isInstanceOfSatisfying(Refusal.class,
                r -> assertThat(r.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @CsvSource({"0", "2"})
    void aSeedAtAnyLevelIsACandidateUnderItsOwnDomain(int priority) {
        assertThat(ADMISSION.seed(Optional.of("HTTPS://Docs.Example.org:443"), priority, 3, SCOPE))
                .isInstanceOfSatisfying(Candidate.Open.class, open -> assertThat(open.admitted()).isEqualTo(
                        new Admitted("https://docs.example.org/", new HostKey("docs.example.org:443"), "example.org")));
    }

    @Test
    void aUrlOfMaximumLengthIsAdmittedAndALongerOneIsRefused() {
        String longest = "https://example.org/" + "a".repeat(80);
        assertThat(ADMISSION.seed(Optional.of(longest), 0, 1, SCOPE)).isInstanceOf(Candidate.Open.class);
        assertThat(ADMISSION.seed(Optional.of(longest + "a"), 0, 1, SCOPE))
                .isEqualTo(new Refusal(RefusalReason.BAD_URL, "it has 101 characters; 100 are allowed"));
    }

    @Test
    void aLinkBeyondTheDepthLimitIsRefusedUnlessAnEarlierRuleRefusesIt() {
        assertThat(ADMISSION.reference(PAGE, "a", 2, SCOPE)).isInstanceOf(Candidate.Open.class);
        assertThat(ADMISSION.reference(PAGE, "a", 3, SCOPE))
                .isEqualTo(new Refusal(RefusalReason.DEPTH, "depth 3 is beyond the limit 2"));
        assertThat(ADMISSION.reference(PAGE, "mailto:x", 3, SCOPE)).isInstanceOfSatisfying(Refusal.class,
                r -> assertThat(r.reason()).isEqualTo(RefusalReason.SCHEME));
    }

    @ParameterizedTest
    @CsvSource({"https://example.org/,example.org,true", "https://a.b.example.org/,example.org,true",
            "https://notexample.org/,example.org,false", "https://example.org/,docs.example.org,false",
            "https://a.docs.example.org/,docs.example.org,true", "https://mydocs.example.org/,docs.example.org,false",
            "https://foo.github.io/,github.io,false", "https://github.io/,github.io,true",
            "http://127.0.0.1:8080/,127.0.0.1,true", "http://127.0.0.1/,0.0.1,false", "http://[::1]/,[::1],true",
            "http://a.b.c.d.e.f.g.h.i.j.k.l.m.example.org/,example.org,true",
            "http://a.b.c.d.e.f.g.h.i.j.k.l.m.example.org/,a.b.c.d.e.f.g.h.i.j.k.l.m.example.org,true"})
    void anAcceptedNameCoversItselfAndTheHostsBelowIt(String url, String accepted, boolean admitted) {
        AdmissionVerdict admissionVerdict = ADMISSION.seed(Optional.of(url), 0, 1, SCOPE).verdict(Set.of(accepted));
        assertThat(admissionVerdict instanceof Admitted).isEqualTo(admitted);
        assertThat(admissionVerdict instanceof Refusal r && r.reason() == RefusalReason.DOMAIN).isNotEqualTo(admitted);
    }

    @Test
    void theNamesRunFromTheHostDownToItsDomainAndAreBounded() {
        assertThat(names("https://a.b.example.org/")).containsExactly("a.b.example.org", "b.example.org",
                "example.org");
        assertThat(names("https://" + "a.".repeat(100) + "example.org/")).hasSize(10)
                .startsWith("a.".repeat(100) + "example.org").endsWith("a.example.org", "example.org");
    }

    private static List<String> names(String url) {
        return ((Candidate.Open) new Admission(1000).seed(Optional.of(url), 0, 1, SCOPE)).names();
    }

    @Test
    void aLinkToTheSameHostHasThePagesKeyAndALinkToAnotherHostItsOwn() {
        assertThat(ADMISSION.reference(PAGE, "/a", 1, SCOPE)).isEqualTo(new Candidate.Open("https://docs.example.org/a",
                new HostKey("docs.example.org:443"), "example.org", List.of("docs.example.org", "example.org")));
        assertThat(ADMISSION.reference(PAGE, "https://docs.example.org:8443/a", 1, SCOPE)).isInstanceOfSatisfying(
                Candidate.Open.class, o -> assertThat(o.host().value()).isEqualTo("docs.example.org:8443"));
        assertThat(ADMISSION.reference(PAGE, "https://docs.example.org.evil.example/", 1, SCOPE))
                .isInstanceOfSatisfying(Candidate.Open.class, o -> assertThat(o.domain()).isEqualTo("evil.example"));
    }

    @Test
    void aWholeBatchAsksOncePerRunForAtLeastTheNewestVersion() {
        CrawlRun one = new CrawlRun(new CrawlId("one"), 1);
        CrawlRun two = new CrawlRun(new CrawlId("two"), 1);
        List<String> asked = new ArrayList<>();
        Map<CrawlRun, Set<String>> accepted = Map.of(one, Set.of("example.org"), two, Set.of("example.com"));
        DomainLookup questions = new DomainLookup((run, names, atLeast) -> {
            asked.add(run.crawl() + " " + names.size() + " names, version " + atLeast);
            return new AcceptedDomains.DomainAnswer(requireNonNull(accepted.get(run)), atLeast + 1);
        });
        Candidate own = ADMISSION.reference(PAGE, "/a", 1, SCOPE);
        Candidate other = ADMISSION.reference(PAGE, "https://example.com/", 1, SCOPE);
        Candidate refused = ADMISSION.reference(PAGE, "ftp:x", 1, SCOPE);
        questions.add(one, own, 3);
        questions.add(one, other, 7);
        questions.add(one, refused, 9);
        questions.add(two, other, 1);
        questions.ask();

        assertThat(asked).containsExactlyInAnyOrder("one 3 names, version 7", "two 1 names, version 1");
        assertThat(questions.verdict(one, own)).isInstanceOf(Admitted.class);
        assertThat(questions.verdict(one, other))
                .isEqualTo(new Refusal(RefusalReason.DOMAIN, "the domain example.com is not accepted"));
        assertThat(questions.verdict(one, refused)).isSameAs(refused);
        assertThat(questions.verdict(two, other)).isInstanceOf(Admitted.class);
        assertThat(questions.version(one)).isEqualTo(8);
    }
}
