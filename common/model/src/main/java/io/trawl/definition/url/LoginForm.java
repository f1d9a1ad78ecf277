package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Optional;

/**
 * How a crawl logs in at a server before its first page there.
 *
 * @param page the URL of the page with the form, whose server it is
 * @param fields what is filled in, by the names of the fields; secrets are references to variables
 * @param form the CSS selector of the form; by default the first one that has these fields
 * @param success the CSS selector of what only a page after a login has; by default the form does not come again
 * @param failure the CSS selector of what only a page after a refused login has
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LoginForm(String page, Map<String, String> fields, Optional<String> form, Optional<String> success,
        Optional<String> failure) {
    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public LoginForm {
        page = page == null ? "" : page;
        fields = fields == null ? Map.of() : Map.copyOf(fields);
    }
}
