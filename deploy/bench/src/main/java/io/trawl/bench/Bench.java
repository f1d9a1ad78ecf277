package io.trawl.bench;

import io.trawl.bench.run.CrawlBench;
import io.trawl.bench.run.HostSkew;
import io.trawl.bench.run.JmhBench;
import io.trawl.bench.run.RequestsLoad;
import io.trawl.bench.run.Scaling;
import io.trawl.bench.run.Simulate;
import io.trawl.bench.run.UrgentSeed;
import io.trawl.bench.run.Web;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command {@code ./trawl bench}. */
@Command(name = "bench", subcommands = {RequestsLoad.class, UrgentSeed.class, HostSkew.class, CrawlBench.class, Simulate.class,
        Scaling.class, JmhBench.class, Web.class,
        HelpCommand.class}, description = "Measures Trawl; docs/benchmarks.md says what the figures mean.")
public final class Bench {
    private Bench() {}

    /** Runs one benchmark and ends the process. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Bench()).setUsageHelpWidth(120).execute(args));
    }
}
