package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.ApiDocument;
import io.trawl.settings.SharedSetting;
import io.trawl.settings.SettingsReader;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.tags.Tag;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    @Test
    void theDocumentAndTheRoutesNameTheSameOperations() {
        ApiEndpoint endpoint = new ApiEndpoint(SettingsReader.from(Map.of()), 0);
        try {
            assertThat(new ApiDocument().operations()).containsExactlyElementsOf(endpoint.routes());
        } finally {
            endpoint.close();
        }
    }

    /** Also that every reference leads somewhere. */
    @Test
    void theDocumentIsValid() {
        ParseOptions options = new ParseOptions();
        options.setResolve(true);
        options.setResolveFully(true);
        String yaml = new String(OpenApiDocument.read().yaml(), StandardCharsets.UTF_8);
        SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(yaml, List.of(), options);
        assertThat(parsed.getMessages()).isEmpty();
        assertThat(parsed.getOpenAPI().getPaths()).hasSizeGreaterThan(20);
    }

    @Test
    void everyOperationNamesTheStatusesThatItsChecksMayGive() {
        JsonNode paths = Json.read(OpenApiDocument.read().json(), JsonNode.class).path("paths");
        paths.properties().forEach(path -> path.getValue().properties().stream()
                .filter(method -> method.getValue().has("responses")).forEach(method -> {
                    JsonNode operation = method.getValue();
                    List<String> statuses = new ArrayList<>(List.of("400", "401"));
                    operation.path("responses").properties().stream()
                            .filter(answer -> answer.getKey().startsWith("2") && answer.getValue().has("content"))
                            .findFirst().ifPresent(_ -> statuses.add("406"));
                    if (!method.getKey().equals("get")) {
                        statuses.add("403");
                    }
                    if (operation.has("requestBody")) {
                        statuses.addAll(List.of("413", "415"));
                    }
                    assertThat(operation.path("responses").propertyStream().map(Map.Entry::getKey))
                            .as("%s %s", method.getKey(), path.getKey()).containsAll(statuses);
                }));
    }

    @Test
    void theSettingsThatMayBeChangedAreThoseOfTheDescription() {
        JsonNode change = Json.read(OpenApiDocument.read().json(), JsonNode.class)
                .at("/components/schemas/SettingsChange/properties");
        assertThat(change.propertyStream().map(Map.Entry::getKey)).containsExactlyElementsOf(Arrays
                .stream(SharedSetting.values()).filter(SharedSetting::changeable).map(SharedSetting::word).toList());
    }

    @Test
    void everyOperationHasANameASummaryAndATagAndSaysWhoMayCallIt() {
        OpenAPI document = new OpenAPIV3Parser()
                .readContents(new String(OpenApiDocument.read().yaml(), StandardCharsets.UTF_8)).getOpenAPI();
        List<String> tags = document.getTags().stream().map(Tag::getName).toList();
        List<Operation> operations = document.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream()).toList();
        assertThat(operations).extracting(Operation::getOperationId).doesNotHaveDuplicates();
        assertThat(operations).allSatisfy(operation -> {
            assertThat(operation.getSummary()).as(operation.getOperationId()).isNotBlank();
            assertThat(tags).as(operation.getOperationId()).containsAll(operation.getTags());
            assertThat(operation.getResponses()).as(operation.getOperationId()).containsKeys("401");
        });
    }
}
