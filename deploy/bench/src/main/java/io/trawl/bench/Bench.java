package io.trawl.bench;

import io.trawl.bench.run.CompareCommand;
import io.trawl.bench.run.CrawlBench;
import io.trawl.bench.run.FairnessBench;
import io.trawl.bench.run.FloorCommand;
import io.trawl.bench.run.FreshnessBench;
import io.trawl.bench.run.HostSkewBench;
import io.trawl.bench.run.HostileBench;
import io.trawl.bench.run.JmhBench;
import io.trawl.bench.run.RefreshBench;
import io.trawl.bench.run.RequestLoadCommand;
import io.trawl.bench.run.ScalingBench;
import io.trawl.bench.run.SimulationBench;
import io.trawl.bench.run.SlowHostsBench;
import io.trawl.bench.run.TextBench;
import io.trawl.bench.run.UrgentSeedBench;
import io.trawl.bench.run.WebCommand;
import io.trawl.model.Durations;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code ./trawl bench}. */
@Command(name = "bench", subcommands = {RequestLoadCommand.class, UrgentSeedBench.class, HostSkewBench.class,
        SlowHostsBench.class, HostileBench.class, CrawlBench.class, SimulationBench.class, FairnessBench.class,
        FreshnessBench.class, RefreshBench.class, ScalingBench.class, JmhBench.class, CompareCommand.class,
        WebCommand.class, FloorCommand.class,
        TextBench.class}, description = "Measure Trawl; docs/benchmarks.md explains the figures.")
public final class Bench {
    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Show this help.")
    private boolean help;

    private Bench() {}

    /** Runs a benchmark with its options; returns the exit status. */
    public static int run(String... arguments) {
        return new CommandLine(new Bench()).setUsageHelpWidth(120)
                .registerConverter(Duration.class, text -> Durations.parse("duration", text))
                .setCaseInsensitiveEnumValuesAllowed(true).execute(arguments);
    }

    /** Runs one benchmark and ends the process. */
    public static void main(String[] args) {
        // Else that of the tests, whose libraries are on the class path, keeps errors of Kafka and Redis from the log.
        System.setProperty("logback.configurationFile", "logback.xml");
        System.exit(run(args));
    }
}
