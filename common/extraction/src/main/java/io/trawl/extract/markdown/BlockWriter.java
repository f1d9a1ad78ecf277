package io.trawl.extract.markdown;

import io.trawl.extract.markdown.Block.Fence;
import io.trawl.extract.markdown.Block.BlockList;
import io.trawl.extract.markdown.Block.Lines;
import io.trawl.extract.markdown.Block.Quote;
import java.util.List;

/** Writes blocks, an empty line between them, each line behind the signs of the blocks around it. */
final class BlockWriter {
    private static final int SHORTEST_FENCE = 3;
    private final StringBuilder out = new StringBuilder();
    private String prefix = "";
    /** The prefix of the next line, with the sign of a list item that begins there. */
    private String lead = "";

    private BlockWriter() {}

    static String write(List<Block> blocks) {
        BlockWriter writer = new BlockWriter();
        writer.blocks(blocks, false);
        return writer.out.toString();
    }

    private void blocks(List<Block> blocks, boolean tight) {
        boolean other = false;
        for (int i = 0; i < blocks.size(); i++) {
            if (i > 0 && !tight) {
                line("");
            }
            // Two lists in a row would be one, had they the same sign.
            other = i > 0 && !other && blocks.get(i) instanceof BlockList list
                    && blocks.get(i - 1) instanceof BlockList before && list.ordered() == before.ordered();
            write(blocks.get(i), other);
        }
    }

    private void write(Block block, boolean otherSign) {
        switch (block) {
            case Lines(String text) -> text.lines().forEach(this::line);
            case Fence code -> write(code);
            case Quote(List<Block> blocks) -> within("> ", "> ", blocks, false);
            case BlockList list -> write(list, otherSign);
        }
    }

    private void write(Fence code) {
        String fence = "`".repeat(Math.max(SHORTEST_FENCE, longestRun(code.text()) + 1));
        line(fence + code.language());
        int from = 0;
        for (int end = code.text().indexOf('\n'); end >= 0; end = code.text().indexOf('\n', from)) {
            line(code.text().substring(from, end));
            from = end + 1;
        }
        if (from < code.text().length()) {
            line(code.text().substring(from));
        }
        line(fence);
    }

    private static int longestRun(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private void write(BlockList list, boolean otherSign) {
        boolean tight = list.tight();
        for (int i = 0; i < list.items().size(); i++) {
            if (i > 0 && !tight) {
                line("");
            }
            String sign = list.ordered() ? list.start() + i + (otherSign ? ") " : ". ") : otherSign ? "* " : "- ";
            within(sign, " ".repeat(sign.length()), list.items().get(i), tight);
        }
    }

    private void within(String first, String further, List<Block> blocks, boolean tight) {
        String outer = prefix;
        prefix = outer + further;
        lead += first;
        blocks(blocks, tight);
        prefix = outer;
        lead = outer;
    }

    private void line(String line) {
        out.append(out.isEmpty() ? "" : "\n").append(line.isEmpty() ? lead.stripTrailing() : lead).append(line);
        lead = prefix;
    }
}
