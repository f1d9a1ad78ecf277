package io.trawl.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom: docs/architecture.md, section Modules. */
@AnalyzeClasses(packages = "io.trawl", importOptions = DependencyRulesTest.ShippedCode.class)
class DependencyRulesTest {
    /** Leaves out test classes, in folders and in the test jar of common. */
    static final class ShippedCode implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }

    private static final String[] COMMON = {"io.trawl.time..", "io.trawl.model..", "io.trawl.plugin..", "io.trawl.module..",
            "io.trawl.admission..",
            "io.trawl.ledger..",
            "io.trawl.control..", "io.trawl.robots..", "io.trawl.codec..", "io.trawl.channel..", "io.trawl.redis..",
            "io.trawl.settings..", "io.trawl.trace..", "io.trawl.log..",
            "io.trawl.worker..", "io.trawl.launch..", "io.trawl.access..", "io.trawl.direct.."};
    private static final String[] STAGES = {"io.trawl.downloader..", "io.trawl.analyzer..", "io.trawl.pipeline..",
            "io.trawl.coordinator.."};

    @ArchTest
    static final ArchRule whatFlowsKnowsNothingButTheLanguage = classes().that()
            .resideInAPackage("io.trawl.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.trawl.model..", "java..", "com.fasterxml.jackson.annotation..", "org.jspecify..");

    @ArchTest
    static final ArchRule commonKnowsNoStage = noClasses().that()
            .resideInAnyPackage(COMMON)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.trawl.downloader..", "io.trawl.analyzer..", "io.trawl.pipeline..", "io.trawl.coordinator..",
                    "io.trawl.standalone..",
                    "io.trawl.embedded..");

    @ArchTest
    static final ArchRule stagesMeetOnlyInCommonAndOnTopics = slices()
            .matching("io.trawl.(downloader|analyzer|pipeline|coordinator)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule stagesKnowNoEmbeddedServer = noClasses().that()
            .resideInAnyPackage(STAGES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.trawl.embedded..", "io.trawl.standalone..");

    @ArchTest
    static final ArchRule rulesKnowNeitherKafkaNorRedis = noClasses().that()
            .resideInAnyPackage("io.trawl.module..", "io.trawl.admission..", "io.trawl.ledger..", "io.trawl.control..",
                    "io.trawl.robots..",
                    "io.trawl.codec..",
                    "io.trawl.time..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "org.redisson..", "io.trawl.channel..", "io.trawl.redis..",
                    "io.trawl.worker..");

    @ArchTest
    static final ArchRule redissonIsKnownInOnePlace = noClasses().that()
            .resideOutsideOfPackage("io.trawl.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.redisson..");

    @ArchTest
    static final ArchRule openTelemetryIsKnownInOnePlace = noClasses().that()
            .resideOutsideOfPackage("io.trawl.trace..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.opentelemetry..");

    @ArchTest
    static final ArchRule domainsOfTheStagesKnowNoChannel = noClasses().that()
            .resideInAnyPackage("io.trawl.downloader.frontier..", "io.trawl.downloader.politeness..",
                    "io.trawl.downloader.robots..",
                    "io.trawl.downloader.fetch..", "io.trawl.downloader.retry..", "io.trawl.analyzer.parse..",
                    "io.trawl.analyzer.extract..",
                    "io.trawl.pipeline.process..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.trawl.channel..", "io.trawl.redis..");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = slices().matching("io.trawl.(*)..").should().beFreeOfCycles();
}
