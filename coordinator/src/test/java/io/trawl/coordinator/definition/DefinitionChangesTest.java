package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.definition.DefinitionChanges.DueChange;
import io.trawl.coordinator.definition.DefinitionChanges.WaitingRefusals;
import io.trawl.coordinator.text.DefinitionChangesText;
import io.trawl.coordinator.text.Screen;
import io.trawl.model.CrawlId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DefinitionChangesTest {
    private static final CrawlId DOCS = new CrawlId("docs");

    private static CrawlDefinition definition(String json) {
        return Json.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    private static List<String> lines(String before, String after) {
        return DefinitionChangesText.of(DefinitionChanges.of(DOCS, Optional.of(definition(before)), definition(after)),
                Screen.FILE);
    }

    @Test
    void eachFieldIsListedWithBothValuesAndListsWithTheirOwnElements() {
        assertThat(lines(
                "{'seeds':['https://example.org/'],'limits':{'maxPages':70},'fetch':{'ignoreRobots':['a.org','b.org'],'headers':{'X':'1'}}}",
                "{'seeds':['HTTPS://EXAMPLE.org'],'fetch':{'delay':'5s','ignoreRobots':['b.org','c.org'],'headers':{'X':'1','Y':'2'}}}"))
                .map(String::strip).containsExactly("crawl docs would change:", "FIELD               NOW        THEN",
                        "fetch.delay         1s         5s", "fetch.headers.Y     –          (hidden)",
                        "fetch.ignoreRobots  [\"a.org\"]  [\"c.org\"]", "limits.maxPages     70         –");
    }

    @Test
    void whatIdentifiesARunNeedsANewOne() {
        assertThat(String.join("\n", lines("{'seeds':['https://example.org/']}",
                "{'seeds':['https://example.org/a'],'scope':{'domains':['example.net']},'limits':{'depth':7}}")))
                .containsPattern("limits\\.depth +3 +7 +needs a new run")
                .containsPattern("scope\\.domains .*needs a new run").containsPattern("seeds .*needs a new run")
                .contains("identify a run");
    }

    @Test
    void ofManyElementsTheFirstAreShown() {
        String many = "'"
                + String.join("','", java.util.stream.IntStream.range(0, 50).mapToObj(i -> "h" + i + ".org").toList())
                + "'";
        assertThat(String.join("\n", lines("{}", "{'fetch':{'ignoreRobots':[" + many + "]}}"))).contains("h19.org")
                .contains("and 30 more").doesNotContain("h20.org");
    }

    @Test
    void whatAChangedScopeRefusesOfWhatWaitsIsSaidByRuleAndOfHowMany() {
        DefinitionChanges changes = DefinitionChanges.of(DOCS, Optional.of(definition("{}")),
                definition("{'scope':{'exclude':['/b/**']}}"));
        Map<String, Long> byRule = Map.of("scope.exclude: /b/**", 1200L, "scope.include", 4L);
        assertThat(DefinitionChangesText.of(
                changes.withWaiting(Optional.of(new WaitingRefusals(5000, 5000, 1204, byRule)))
                        .withDue(Optional.of(new DueChange(9940, 12, 4000))).withNotes(List.of("It is final.")),
                Screen.FILE)).endsWith(
                        "1,204 of 5,000 waiting requests would be refused: scope.exclude: /b/** 1,200, scope.include 4",
                        "12 of 9,940 pages are due for a visit now; by these rules it would be 4,000", "It is final.");
        assertThat(DefinitionChangesText
                .of(changes.withWaiting(Optional.of(new WaitingRefusals(5000, 3000, 0, Map.of()))), Screen.FILE))
                .endsWith("0 of 3,000 waiting requests that were looked at, of 5,000, would be refused");
    }

    @Test
    void aNarrowerScopeIsFinalForWhatWaitsAndAWiderOneDoesNotBringBackLinks() {
        assertThat(notes("{}", "{'exclude':['/b/**']}")).containsExactly(ScopeChange.FINAL);
        assertThat(notes("{'exclude':['/b/**']}", "{}")).containsExactly(ScopeChange.PAST);
        assertThat(notes("{}", "{'include':['/b/**']}")).containsExactly(ScopeChange.FINAL);
        assertThat(notes("{'include':['/b/**']}", "{'include':['/b/**','/c/**']}")).containsExactly(ScopeChange.PAST);
        assertThat(notes("{'include':['/b/**']}", "{}")).containsExactly(ScopeChange.PAST);
        assertThat(notes("{'include':['/b/**']}", "{'include':['/c/**']}")).containsExactly(ScopeChange.FINAL,
                ScopeChange.PAST);
        assertThat(notes("{}", "{'skipEndings':[]}")).containsExactly(ScopeChange.PAST);
        assertThat(notes("{'skipEndings':['zip']}", "{'skipEndings':['zip','foo']}"))
                .containsExactly(ScopeChange.FINAL);
        assertThat(notes("{}", "{'maxDepth':[{'match':'/b/**','depth':1}]}")).containsExactly(ScopeChange.FINAL,
                ScopeChange.PAST);
        assertThat(notes("{'exclude':['/b/**','/c/**']}", "{'exclude':['/c/**','/b/**']}")).isEmpty();
    }

    private static List<String> notes(String before, String after) {
        return ScopeChange.notes(definition("{'scope':" + before + "}"), definition("{'scope':" + after + "}"));
    }

    @Test
    void theSameDefinitionChangesNothing() {
        assertThat(lines("{'priority':1}", "{}")).containsExactly("crawl docs has this definition already");
    }
}
