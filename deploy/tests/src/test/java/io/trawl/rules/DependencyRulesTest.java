package io.trawl.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;

/**
 * Which code may depend on which, where the dependencies of Maven modules do not say it: docs/architecture.md, section
 * Modules. Covers the main code of every module, the benchmarks included.
 */
@AnalyzeClasses(packages = "io.trawl", importOptions = Modules.ShippedCode.class)
class DependencyRulesTest {
    private static final int MOST_FILES = 30;

    /** The packages whose code uses a library: no others may, and a package that uses it no longer leaves the list. */
    private static final Map<String, Set<String>> USERS_OF_LIBRARIES = Map.ofEntries(Map.entry("org.apache.kafka.",
            Set.of("io.trawl.channel", "io.trawl.channel.offset", "io.trawl.telemetry", "io.trawl.worker",
                    "io.trawl.coordinator", "io.trawl.coordinator.topic", "io.trawl.coordinator.feed",
                    "io.trawl.coordinator.leader", "io.trawl.coordinator.lifecycle", "io.trawl.coordinator.probe",
                    "io.trawl.coordinator.seed", "io.trawl.coordinator.summary", "io.trawl.coordinator.webhook",
                    // Only the exception: the broker does not answer.
                    "io.trawl.coordinator.channel", "io.trawl.coordinator.queue", "io.trawl.downloader",
                    "io.trawl.downloader.generation", "io.trawl.downloader.partition", "io.trawl.downloader.response",
                    "io.trawl.analyzer", "io.trawl.analyzer.batch", "io.trawl.analyzer.loop", "io.trawl.pipeline.store",
                    // Reads the topic of a sink.
                    "io.trawl.standalone.view", "io.trawl.embedded", "io.trawl.bench.fleet", "io.trawl.bench.floor")),
            Map.entry("kafka.", Set.of("io.trawl.embedded")), Map.entry("org.redisson.", Set.of("io.trawl.redis")),
            Map.entry("org.eclipse.jetty.", Set.of("io.trawl.http")),
            Map.entry("com.carrotsearch.", Set.of("io.trawl.analyzer.parse")),
            // The floor of the benchmarks does what every crawler does, with the same libraries.
            Map.entry("org.jsoup.",
                    Set.of("io.trawl.extract", "io.trawl.extract.markdown", "io.trawl.coordinator.definition",
                            "io.trawl.downloader.session", "io.trawl.analyzer.extract", "io.trawl.analyzer.metadata",
                            // The references of HTML.
                            "io.trawl.analyzer.sitemap",
                            // Looks for selectors.
                            "io.trawl.standalone.init", "io.trawl.bench.floor", "io.trawl.bench.jmh")),
            Map.entry("org.apache.hc.",
                    Set.of("io.trawl.downloader.fetch.http", "io.trawl.downloader.fetch.budget",
                            "io.trawl.bench.floor")),
            Map.entry("org.netpreserve.",
                    Set.of("io.trawl.pipeline.warc", "io.trawl.downloader.replay", "io.trawl.coordinator.seedlist")),
            Map.entry("crawlercommons.",
                    Set.of("io.trawl.admission", "io.trawl.downloader.robots", "io.trawl.analyzer.sitemap")),
            Map.entry("com.google.re2j.", Set.of("io.trawl.pattern")),
            Map.entry("de.siegmar.",
                    Set.of("io.trawl.pipeline.format", "io.trawl.pipeline.read", "io.trawl.coordinator.seedlist")),
            Map.entry("com.github.difflib.", Set.of("io.trawl.pipeline.diff")),
            Map.entry("org.postgresql.", Set.of("io.trawl.pipeline.postgresql")),
            Map.entry("com.zaxxer.", Set.of("io.trawl.pipeline.postgresql")),
            Map.entry("com.jayway.", Set.of("io.trawl.extract")),
            Map.entry("dev.cel.", Set.of("io.trawl.process.builtin")),
            Map.entry("io.opentelemetry.sdk.", Set.of("io.trawl.telemetry")),
            Map.entry("io.opentelemetry.exporter.", Set.of("io.trawl.telemetry")),
            Map.entry("org.apache.parquet.", Set.of("io.trawl.pipeline.parquet")),
            // Other packages read and write JSON through codec.Json.
            Map.entry("com.fasterxml.jackson.databind.",
                    Set.of("io.trawl.codec", "io.trawl.extract", "io.trawl.downloader.fetch.browser",
                            // Trees: the OpenAPI document, and answers of which only some fields are wanted.
                            "io.trawl.coordinator.api", "io.trawl.coordinator.definition", "io.trawl.coordinator.text",
                            "io.trawl.coordinator.leader", "io.trawl.coordinator.view", "io.trawl.pipeline.diff",
                            "io.trawl.pipeline.read", "io.trawl.pipeline.opensearch", "io.trawl.pipeline.s3",
                            "io.trawl.pipeline.format", "io.trawl.pipeline.postgresql", "io.trawl.standalone.client",
                            "io.trawl.standalone.local", "io.trawl.standalone.text", "io.trawl.standalone.view",
                            "io.trawl.bench.fleet", "io.trawl.bench.run", "io.trawl.bench.text")));

    @ArchTest
    static final ArchRule whatPlugInsSeeKnowsNothingButTheLanguage = classes().that().resideInAPackage("io.trawl.api..")
            .should().onlyDependOnClassesThat().resideInAnyPackage("io.trawl.api..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule theBuiltInParserHasNoMoreThanPlugInsHave = classes().that()
            .resideInAPackage("io.trawl.analyzer.extract..").should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.trawl.analyzer.extract..", "io.trawl.analyzer.metadata..", "io.trawl.api..",
                    "java..", "com.sun.management..", "org.jsoup..", "org.jspecify..",
                    // What rules make of elements, too.
                    "io.trawl.extract.markdown..");

    @ArchTest
    static final ArchRule theBrowserHasNoMoreOfTheDownloaderThanPlugInsHave = classes().that()
            .resideInAPackage("io.trawl.downloader.fetch.browser..").should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.trawl.downloader.fetch.browser..", "io.trawl.api..", "io.trawl.codec..",
                    "io.trawl.time..", "java..", "com.fasterxml.jackson.databind..", "org.jspecify..");

    @ArchTest
    static final ArchRule whatFlowsKnowsNothingButTheLanguage = classes().that().resideInAPackage("io.trawl.model..")
            .should().onlyDependOnClassesThat().resideInAnyPackage("io.trawl.model..", "io.trawl.api..", "java..",
                    "com.fasterxml.jackson.annotation..", "org.jspecify..");

    /** Kafka and Redis are no libraries of its module. */
    @ArchTest
    static final ArchRule theFrontierStartsNoThreadAndOpensNoConnection = noClasses().that()
            .resideInAnyPackage("io.trawl.downloader.frontier..", "io.trawl.downloader.politeness..",
                    "io.trawl.downloader.trap..", "io.trawl.downloader.fetch")
            .should().dependOnClassesThat().areAssignableTo(Thread.class).orShould().dependOnClassesThat()
            .areAssignableTo(ExecutorService.class).orShould().dependOnClassesThat()
            .resideInAnyPackage("java.net.http..", "java.nio.channels..").orShould().dependOnClassesThat()
            .areAssignableTo(Socket.class);

    @ArchTest
    static final ArchRule domainsOfTheStagesKnowNoChannel = noClasses().that()
            .resideInAnyPackage("io.trawl.downloader.robots..", "io.trawl.downloader.fetch..",
                    "io.trawl.analyzer.parse..", "io.trawl.analyzer.extract..", "io.trawl.pipeline.process..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.trawl.channel..", "io.trawl.redis..");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = slices().matching("io.trawl.(**)").should().beFreeOfCycles();

    @ArchTest
    static void librariesAreUsedInTheListedPackagesOnly(JavaClasses classes) {
        USERS_OF_LIBRARIES.forEach((library, expected) -> assertThat(users(classes, library))
                .as("packages that use " + library).isEqualTo(new TreeSet<>(expected)));
    }

    private static Set<String> users(JavaClasses classes, String library) {
        return classes.stream()
                .filter(c -> c.getDirectDependenciesFromSelf().stream()
                        .anyMatch(d -> d.getTargetClass().getBaseComponentType().getName().startsWith(library)))
                .map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    }

    @ArchTest
    static void aPackageIsInOneModuleOnly(JavaClasses classes) {
        Map<String, Set<String>> modules = new TreeMap<>();
        classes.forEach(c -> modules.computeIfAbsent(c.getPackageName(), p -> new TreeSet<>()).add(Modules.origin(c)));
        assertThat(modules).allSatisfy((name, origins) -> assertThat(origins).as(name).hasSize(1));
    }

    @ArchTest
    static void everyPackageIsNullMarkedInItsPackageInfo(JavaClasses classes) {
        assertThat(packages(classes))
                .filteredOn(p -> p.tryGetPackageInfo().isEmpty() || !p.isAnnotatedWith(NullMarked.class))
                .as("packages without a package-info.java with @NullMarked").isEmpty();
    }

    @ArchTest
    static void aPackageHasAtMostThirtyFiles(JavaClasses classes) {
        Map<String, Integer> tooLarge = new TreeMap<>();
        for (JavaPackage each : packages(classes)) {
            // Without those of tests that benchmarks use.
            int files = (int) each.getClasses().stream().filter(c -> classes.contain(c.getName()))
                    .map(c -> c.getSource().flatMap(Source::getFileName)).flatMap(Optional::stream)
                    .filter(file -> !file.equals("package-info.java")).distinct().count();
            if (files > MOST_FILES) {
                tooLarge.put(each.getName(), files);
            }
        }
        assertThat(tooLarge).isEmpty();
    }

    private static List<JavaPackage> packages(JavaClasses classes) {
        return classes.stream().map(JavaClass::getPackage).distinct().toList();
    }
}
