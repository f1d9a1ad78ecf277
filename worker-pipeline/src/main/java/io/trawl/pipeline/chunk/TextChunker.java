package io.trawl.pipeline.chunk;

import io.trawl.pipeline.chunk.MarkdownBlocks.HeadingText;
import io.trawl.pipeline.chunk.TextBlock.BlockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Cuts a text into chunks of at most so many tokens, by its own words only: an edit changes chunks near it, and no
 * others. All of the text is in them once and in order, but for white space between them, what overlaps, and the fences
 * and heads of tables that are repeated where code or a table is cut. docs/adr/0121-chunks.md has the reasons. Takes
 * time in proportion to n log n. Confined to one thread.
 */
public final class TextChunker {
    /** What is repeated takes at most this part of a chunk. */
    private static final int REPEATED_PART = 4;
    private static final int LONGEST_REPEATED = 4_000;
    private final String text;
    private final List<TextBlock> blocks;
    private final HeadingAnchors anchors;
    private final int overlap;
    private final int most;
    private final Units units;
    private final int[] opens;
    private final int[] closes;

    private record OpenHeading(int level, HeadingText text) {}

    private TextChunker(String text, List<TextBlock> blocks, HeadingAnchors anchors, int maxTokens, int overlap,
            Locale locale) {
        this.text = text;
        this.anchors = anchors;
        this.overlap = overlap;
        this.most = maxTokens - overlap;
        this.blocks = blocks.stream().map(this::bounded).toList();
        this.opens = this.blocks.stream().mapToInt(block -> tokens(block.open())).toArray();
        this.closes = this.blocks.stream().mapToInt(block -> tokens(block.close())).toArray();
        this.units = new UnitSplitter(text, this.blocks, most, overlap > 0, locale).units();
    }

    /**
     * Where chunks of Markdown may begin: at its blocks, and in them.
     *
     * @param anchors the ids of headings that the Markdown does not name; used up
     */
    public static List<TextChunk> ofMarkdown(String text, HeadingAnchors anchors, int maxTokens, int overlap,
            Locale locale) {
        return new TextChunker(text, MarkdownBlocks.of(text), anchors, maxTokens, overlap, locale).chunks();
    }

    /**
     * The chunks of plain text, in their order.
     *
     * @param maxTokens at least 32, see {@link TokenCount}
     * @param overlap the most tokens before a chunk that it repeats: whole sentences, lines and rows; at most half of
     * {@code maxTokens}
     * @param locale by which sentences end
     */
    public static List<TextChunk> ofPlainText(String text, int maxTokens, int overlap, Locale locale) {
        return new TextChunker(text, PlainBlocks.of(text), HeadingAnchors.of(null), maxTokens, overlap, locale)
                .chunks();
    }

    private static int tokens(String part) {
        return TokenCount.of(part, 0, part.length());
    }

    private TextBlock bounded(TextBlock block) {
        return block.open().length() + block.close().length() <= LONGEST_REPEATED
                && tokens(block.open()) + tokens(block.close()) <= most / REPEATED_PART
                        ? block
                        : new TextBlock(block.kind(), block.start(), block.end(), block.level(), block.inner(), "", "");
    }

    private List<TextChunk> chunks() {
        int[] firsts = UnitGroups.of(text, units, this::size, most);
        List<TextChunk> chunks = new ArrayList<>(firsts.length);
        List<OpenHeading> path = new ArrayList<>();
        int block = 0;
        int page = 1;
        int paged = 0;
        boolean hasPages = text.indexOf(TextChunk.FORM_FEED) >= 0;
        for (int i = 0; i < firsts.length; i++) {
            int first = firsts[i];
            int last = i + 1 < firsts.length ? firsts[i + 1] - 1 : units.size() - 1;
            for (; block <= units.block(first) || block < blocks.size() && underHeading(block); block++) {
                note(blocks.get(block), path);
            }
            int begins = page + formFeeds(paged, units.start(first));
            paged = end(last);
            page = begins + formFeeds(units.start(first), paged);
            String own = text(first, last);
            if (!own.isEmpty()) {
                String all = i == 0 || overlap == 0 ? own : text(overlapping(first), last);
                chunks.add(chunk(path, all, own, hasPages ? List.of(begins, page) : List.of()));
            }
        }
        return chunks;
    }

    /** Whether a block is a heading right below another one. */
    private boolean underHeading(int block) {
        return blocks.get(block).kind() == BlockKind.HEADING && blocks.get(block - 1).kind() == BlockKind.HEADING;
    }

    private void note(TextBlock block, List<OpenHeading> path) {
        if (block.kind() == BlockKind.HEADING) {
            path.removeIf(heading -> heading.level() >= block.level());
            path.add(new OpenHeading(block.level(),
                    anchors.with(MarkdownBlocks.heading(text.substring(block.start(), block.end())))));
        }
    }

    private int formFeeds(int from, int to) {
        return (int) text.substring(from, to).chars().filter(c -> c == TextChunk.FORM_FEED).count();
    }

    /** Where a chunk ends whose last unit this is, without the white space behind it. */
    private int end(int last) {
        int end = units.ends(last) ? blocks.get(units.block(last)).end() : units.start(last + 1);
        while (end > units.start(last) && TokenCount.isSpace(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static TextChunk chunk(List<OpenHeading> path, String all, String own, List<Integer> pages) {
        return new TextChunk(path.stream().map(heading -> heading.text().text()).toList(),
                path.isEmpty() ? Optional.empty() : path.getLast().text().id(), all, own, tokens(all), pages);
    }

    /** The tokens of a chunk of these units. */
    private int size(int first, int last) {
        return units.tokens(first, last) + (opened(first) ? opens[units.block(first)] : 0)
                + (units.ends(last) ? 0 : closes[units.block(last)]);
    }

    /** Whether a part begins with what its block begins with: between the words of a row that would be no table. */
    private boolean opened(int unit) {
        return !units.begins(unit)
                && (units.boundary(unit) != Units.WORD || blocks.get(units.block(unit)).kind() == BlockKind.CODE);
    }

    /** The first unit of what is before a unit and repeated with it. */
    private int overlapping(int first) {
        int found = first;
        for (int unit = first - 1; unit >= 0 && units.tokens(unit, first - 1) <= overlap; unit--) {
            int more = opened(unit) ? opens[units.block(unit)] : 0;
            if (units.boundary(unit) >= Units.SENTENCE && units.tokens(unit, first - 1) + more <= overlap) {
                found = unit;
            }
        }
        return found;
    }

    private String text(int first, int last) {
        TextBlock begin = blocks.get(units.block(first));
        TextBlock end = blocks.get(units.block(last));
        String part = text.substring(units.start(first), units.ends(last) ? end.end() : units.start(last + 1));
        String open = opened(first) && !begin.open().isEmpty() ? begin.open() + "\n" : "";
        String closed = units.ends(last) || end.close().isEmpty()
                ? part.stripTrailing()
                : (part.endsWith("\n") ? part : part + "\n") + end.close();
        return begin.kind() == BlockKind.CODE ? open + closed : open.isEmpty() ? dedented(closed) : open + closed;
    }

    /** Without the indent of the first line, as far as lines have it: in Markdown it would be that of code. */
    private static String dedented(String part) {
        int indent = 0;
        while (indent < part.length() && (part.charAt(indent) == ' ' || part.charAt(indent) == '\t')) {
            indent++;
        }
        if (indent == 0) {
            return part;
        }
        String prefix = "\n" + part.substring(0, indent);
        StringBuilder out = new StringBuilder(part.length());
        int at = indent;
        for (int feed = part.indexOf('\n', at); feed >= 0
                && (part.startsWith(prefix, feed) || part.startsWith("\n\n", feed)); feed = part.indexOf('\n', at)) {
            out.append(part, at, feed + 1);
            at = part.startsWith(prefix, feed) ? feed + prefix.length() : feed + 1;
        }
        return out.append(part, at, part.length()).toString();
    }
}
