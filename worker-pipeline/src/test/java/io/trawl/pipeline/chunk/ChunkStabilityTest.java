package io.trawl.pipeline.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Chunks that an edit does not touch stay as they are. */
class ChunkStabilityTest {
    private static final int PAGES = 200;
    private static final int VERSIONS = 5;
    private static final double MOST = 1.2;

    private long fresh;
    private long edited;

    /** Of five edited versions of 200 pages. */
    @Test
    void theNewChunksHaveAtMostAFifthMoreTextThanThoseWithAnEdit() {
        for (int i = 0; i < PAGES; i++) {
            Random random = new Random(i);
            EditedPage page = EditedPage.random(random);
            List<TextChunk> before = chunks(page);
            for (int version = 0; version < VERSIONS; version++) {
                page = page.edited(random);
                List<TextChunk> chunks = chunks(page);
                compare(before, chunks, page);
                before = chunks;
            }
        }
        assertThat(edited).isPositive();
        assertThat((double) fresh / edited).isBetween(0.9, MOST);
    }

    private static List<TextChunk> chunks(EditedPage page) {
        return TextChunker.ofMarkdown(page.text(), HeadingAnchors.of(null), 512, 0, Locale.ENGLISH);
    }

    private void compare(List<TextChunk> before, List<TextChunk> chunks, EditedPage page) {
        Map<String, Integer> known = new HashMap<>();
        before.forEach(chunk -> known.merge(chunk.own(), 1, Integer::sum));
        int[] ends = new int[chunks.size()];
        BitSet isNew = new BitSet();
        for (int i = 0; i < ends.length; i++) {
            ends[i] = (i == 0 ? 0 : ends[i - 1]) + EditedPage.content(chunks.get(i).own()).length();
            isNew.set(i, known.merge(chunks.get(i).own(), -1, Integer::sum) < 0);
        }
        BitSet touched = new BitSet();
        page.edits().forEach(edit -> touch(touched, edit, ends, isNew));
        fresh += isNew.stream().mapToLong(i -> chunks.get(i).own().length()).sum();
        edited += touched.stream().mapToLong(i -> chunks.get(i).own().length()).sum();
    }

    /** What is gone between two chunks was in one of them: the shorter one that is new. */
    private static void touch(BitSet touched, int[] edit, int[] ends, BitSet isNew) {
        int best = -1;
        for (int i = 0; i < ends.length; i++) {
            int begin = i == 0 ? 0 : ends[i - 1];
            if (edit[0] < edit[1] ? begin < edit[1] && edit[0] < ends[i] : begin < edit[0] && edit[0] < ends[i]) {
                touched.set(i);
                best = ends.length;
            } else if (best < ends.length && edit[0] == edit[1] && isNew.get(i)
                    && (begin == edit[0] || ends[i] == edit[0])
                    && (best < 0 || ends[i] - begin < ends[best] - (best == 0 ? 0 : ends[best - 1]))) {
                best = i;
            }
        }
        if (best >= 0 && best < ends.length) {
            touched.set(best);
        }
    }
}
