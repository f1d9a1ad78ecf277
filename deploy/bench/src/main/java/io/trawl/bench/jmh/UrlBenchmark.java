package io.trawl.bench.jmh;

import io.trawl.admission.Admission;
import io.trawl.admission.AdmissionVerdict;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.Normalized;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.ledger.Fingerprint;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.MediaTypeRules;
import io.trawl.scope.ScopeRules;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of each link of a page. */
public class UrlBenchmark extends PartBenchmark {
    private final Admission admission = new Admission(2048);
    private final ScopeRules within = ScopeRules.within(5);
    private final ScopeRules rules = rules();
    private final List<String> links = IntStream.range(0, 55)
            .mapToObj(i -> "https://docs.example.org/guide/section-" + i + "/chapter-12.html?lang=en&page=" + i)
            .toList();
    private final Set<String> accepted = Set.of("example.org");
    private final BaseUrl page = BaseUrl
            .of((NormalUrl) UrlNormalizer.normalize("https://docs.example.org/guide/start/index.html"));
    private final String clean = "https://docs.example.org/guide/start/chapter-12.html?lang=en&page=3";
    private final String messy = " HTTPS://Docs.Example.ORG:443/guide/./start/../stra\u00dfe/%7euser/a b.html?q=\u00fc#part ";
    private final String relative = "../reference/chapter-12.html#section-4";

    /** A URL that is already in normal form. */
    @Benchmark
    public Normalized normaliseClean() {
        return UrlNormalizer.normalize(clean);
    }

    /** A URL that needs every rule. */
    @Benchmark
    public Normalized normaliseMessy() {
        return UrlNormalizer.normalize(messy);
    }

    /** The fingerprint of a URL in the ledger. */
    @Benchmark
    public Fingerprint fingerprint() {
        return Fingerprint.of(clean);
    }

    /** A relative link, from text to verdict. */
    @Benchmark
    public AdmissionVerdict admitRelative() {
        Candidate candidate = admission.reference(page, relative, 1, within);
        return candidate.verdict(accepted);
    }

    /** An absolute link to another domain, which the last rule refuses. */
    @Benchmark
    public AdmissionVerdict refuseForeign() {
        return admission.reference(page, "https://www.example.com/elsewhere.html", 1, within).verdict(accepted);
    }

    /**
     * The links of a page, judged by thirty rules that do not speak: what the scope costs at most besides admission.
     */
    @Benchmark
    public int judgeAPage() {
        return judged(links, rules);
    }

    /** How many links rules refuse. */
    static int judged(List<String> links, ScopeRules rules) {
        int refused = 0;
        for (String link : links) {
            refused += rules.refusal(link, 1).isPresent() ? 1 : 0;
        }
        return refused;
    }

    /** Twenty globs and ten regular expressions. */
    static ScopeRules rules() {
        List<UrlPattern> globs = IntStream.range(0, 20).mapToObj(i -> UrlPattern.parse("/section-" + i + "/**/print*"))
                .toList();
        List<UrlPattern> regexes = IntStream.range(0, 10).mapToObj(i -> UrlPattern.parse("re:[?&]option" + i + "="))
                .toList();
        return ScopeRules.of(5, List.of(), Stream.concat(globs.stream(), regexes.stream()).toList(), List.of(),
                Optional.empty(), MediaTypeRules.ALL);
    }
}
