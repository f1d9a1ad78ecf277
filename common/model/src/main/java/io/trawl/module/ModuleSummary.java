package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Counts;
import io.trawl.model.MID;
import java.time.Instant;
import java.util.Map;

/**
 * The response of {@code GET /summary} at a module's address (S10, S15).
 *
 * @param mid the module
 * @param score its load
 * @param counts its counters since it started
 * @param since when it started
 * @param state the state of its stage
 * @param extra values of this kind of module: numbers, texts and maps of them
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ModuleSummary(MID mid, long score, Counts counts, Instant since, StageState state,
        Map<String, Object> extra) {}
