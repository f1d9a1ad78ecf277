package io.trawl.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dashboard for Grafana, whose JSON is also YAML. */
class DashboardTest {
    private static final Pattern METRIC = Pattern
            .compile("\\b((?:trawl|jvm|process|system)_[a-z0-9_]+|up)\\b(?!\\s*\\()(.?)");

    private static JsonNode dashboard() throws IOException {
        return DeployFiles.tree(DeployFiles.DEPLOY.resolve("observe/grafana/dashboards/trawl.json"));
    }

    private static List<String> expressions(String part) throws IOException {
        return dashboard().path(part).findValuesAsText("expr");
    }

    @Test
    void everyPanelFollowsTheVariables() throws IOException {
        assertThat(dashboard().at("/templating/list").findValuesAsText("name")).containsExactly("datasource",
                "namespace", "stage", "instance");
        assertThat(dashboard().findValues("datasource")).extracting(source -> source.path("uid").asText())
                .containsOnly("${datasource}");
        assertThat(expressions("panels")).hasSizeGreaterThan(40)
                .allSatisfy(expression -> assertThat(METRIC.matcher(expression).results().map(MatchResult::group)
                        .filter(m -> !m.contains("$")).toList())
                        .allMatch(metric -> expression.contains(metric.replaceFirst("\\{$", "")
                                + "{namespace=~\"$namespace\",stage=~\"$stage\",instance=~\"$instance\"")));
        assertThat(expressions("annotations")).hasSize(4)
                .allSatisfy(expression -> assertThat(expression).contains("namespace=~\"$namespace\""));
    }

    @Test
    void everyHistogramIsShownByItsPercentiles() throws IOException {
        String metrics = Files.readString(DeployFiles.DEPLOY.resolve("../docs/metrics.md"));
        Set<String> histograms = Pattern.compile("`(trawl_[a-z_]+_seconds)` \\| histogram").matcher(metrics).results()
                .map(found -> found.group(1)).collect(Collectors.toCollection(HashSet::new));
        List<String> shown = expressions("panels");
        assertThat(histograms).isNotEmpty()
                .allSatisfy(histogram -> assertThat(Stream.of("0.5", "0.95", "0.99")).allMatch(quantile -> shown
                        .stream().anyMatch(expression -> expression.contains("histogram_quantile(" + quantile + ",")
                                && expression.contains(histogram + "_bucket{"))));
    }

    @Test
    void noTwoPanelsHaveTheSameIdOrPlace() throws IOException {
        assertThat(dashboard().path("panels").valueStream().map(panel -> panel.path("id").asInt()))
                .doesNotHaveDuplicates();
        assertThat(dashboard().path("panels").valueStream()
                .map(panel -> panel.path("gridPos").path("x") + "," + panel.path("gridPos").path("y")))
                .doesNotHaveDuplicates();
    }
}
