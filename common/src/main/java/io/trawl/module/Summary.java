package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.MID;
import java.time.Instant;
import java.util.Map;

/**
 * What {@code GET /summary} at a module's address returns (S10, S15).
 *
 * @param mid who
 * @param score its load
 * @param counts what it has done since it started
 * @param since when it started
 * @param state a word or two for people
 * @param extra what only this kind of module has to say: numbers, texts and maps of them
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Summary(MID mid, long score, Counts counts, Instant since, String state, Map<String, Object> extra) {}
