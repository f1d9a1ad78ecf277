package io.trawl.coordinator.probe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Item;
import io.trawl.coordinator.probe.Preview.PreviewAnswer;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import java.util.List;

/**
 * The preview of a URL that was fetched and analyzed by one process without servers.
 *
 * @param url in normal form
 * @param links of the page; whether they were seen before is not known
 * @param items that would be stored, as the item processors leave them
 * @param dropped why the others would not be stored, as text
 * @param errors as text
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record LocalPreview(String url, PreviewAnswer response, List<LinkVerdict> links, List<Item> items, List<String> dropped,
        List<String> errors) {}
