package io.trawl.pipeline.chunk;

import io.trawl.pipeline.chunk.TextBlock.BlockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the blocks of Markdown, line by line: headings with {@code #}, fenced code, tables, items of lists and
 * paragraphs (CommonMark 0.31 and the tables of GFM, as far as they part lines; no underlined headings). It needs
 * offsets and no tree. Not thread-safe.
 */
final class MarkdownBlocks {
    /** Marks of quotes and of items that a fence may stand behind. */
    private static final Pattern FENCE = Pattern
            .compile("((?:[ \\t]|>|[-*+][ \\t]|[0-9]{1,9}[.)][ \\t])*+)(`{3,}+|~{3,}+)([^`]*+)");
    private static final Pattern HEADING = Pattern.compile(" {0,3}(#{1,6})(?:[ \\t].*)?");
    private static final Pattern ITEM = Pattern.compile("[ \\t]*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ \\t].*)?");
    private static final Pattern RULE = Pattern
            .compile("[ \\t]*+\\|?[ \\t]*+:?-++:?[ \\t]*+(?:\\|[ \\t]*+:?-*+:?[ \\t]*+)*+");
    private static final Pattern ID = Pattern.compile("\\{#([^\\s{}]{1,200})}$");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\[\\]]*)]\\([^()\\s]*\\)");
    private static final Pattern MARK = Pattern.compile("\\*\\*|`");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(\\p{Punct})");
    /** Of a line, as far as its kind is seen. */
    private static final int LOOK = 300;
    private static final int LONGEST_INFO = 40;
    private final String text;
    private final List<TextBlock> blocks = new ArrayList<>();
    private int at;
    private int end;

    private MarkdownBlocks(String text) {
        this.text = text;
    }

    /** The blocks of a text in their order. Takes time in proportion to its length. */
    static List<TextBlock> of(String text) {
        MarkdownBlocks scan = new MarkdownBlocks(text);
        for (scan.line(0); scan.at < text.length(); scan.line(scan.end + 1)) {
            if (!scan.isBlank()) {
                scan.block();
            }
        }
        return scan.blocks;
    }

    private void line(int from) {
        at = Math.min(from, text.length());
        int feed = text.indexOf('\n', at);
        end = feed < 0 ? text.length() : feed;
    }

    private boolean isBlank() {
        for (int i = at; i < end; i++) {
            if (!TokenCount.isSpace(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** The beginning of the line. */
    private String head() {
        return text.substring(at, Math.min(end, at + LOOK)).stripTrailing();
    }

    private void block() {
        String head = head();
        Matcher fence = FENCE.matcher(head);
        Matcher heading = HEADING.matcher(head);
        if (fence.matches()) {
            code(fence);
        } else if (heading.matches()) {
            blocks.add(new TextBlock(BlockKind.HEADING, at, end, heading.group(1).length(), at, "", ""));
        } else if (head.stripLeading().startsWith("|")) {
            table();
        } else {
            paragraph(ITEM.matcher(head).matches() ? BlockKind.ITEM : BlockKind.TEXT);
        }
    }

    /** Up to the closing fence, or the end of the text. */
    private void code(Matcher fence) {
        int start = at;
        int inner = end;
        int last = end;
        String mark = fence.group(2);
        for (line(end + 1); at < text.length(); line(end + 1)) {
            last = end;
            if (closes(mark)) {
                break;
            }
        }
        String before = fence.group(1).replaceAll("[^> \\t]", " ");
        String info = fence.group(3).strip().split("\\s", 2)[0];
        blocks.add(new TextBlock(BlockKind.CODE, start, last, 0, inner,
                before + mark + info.substring(0, Math.min(info.length(), LONGEST_INFO)), before + mark));
        line(last);
    }

    private boolean closes(String mark) {
        int i = at;
        while (i < end && (TokenCount.isSpace(text.charAt(i)) || text.charAt(i) == '>')) {
            i++;
        }
        int first = i;
        while (i < end && text.charAt(i) == mark.charAt(0)) {
            i++;
        }
        return i - first >= mark.length() && text.substring(i, end).isBlank();
    }

    /** Lines that begin with a stroke; a rule below the first makes that the head. */
    private void table() {
        int start = at;
        int last = end;
        int inner = at;
        String open = "";
        for (int row = 0; at < text.length() && head().stripLeading().startsWith("|"); row++, line(end + 1)) {
            if (row == 1 && RULE.matcher(head()).matches()) {
                inner = end;
                open = text.substring(start, end);
            }
            last = end;
        }
        blocks.add(new TextBlock(BlockKind.TABLE, start, last, 0, inner, open, ""));
        line(last);
    }

    private void paragraph(BlockKind kind) {
        int start = at;
        int last = end;
        for (line(end + 1); at < text.length() && !isBlank() && !begins(); line(end + 1)) {
            last = end;
        }
        blocks.add(TextBlock.of(kind, start, last));
        line(last);
    }

    /** Whether the line begins another block than a paragraph. */
    private boolean begins() {
        String head = head();
        return FENCE.matcher(head).matches() || HEADING.matcher(head).matches() || ITEM.matcher(head).matches()
                || head.stripLeading().startsWith("|");
    }

    /** The text of a heading without its marks, and its id, if the Markdown names one: {@code ## Text {#id}}. */
    static HeadingText heading(String line) {
        String plain = line.substring(0, Math.min(line.length(), LOOK)).strip().replaceFirst("^#{1,6}", "").strip()
                .replaceFirst("(?<=\\s|^)#++$", "").strip();
        Matcher named = ID.matcher(plain);
        Optional<String> id = named.find() ? Optional.of(named.group(1)) : Optional.empty();
        String without = id.isPresent() ? plain.substring(0, named.start()).strip() : plain;
        String unlinked = LINK.matcher(without).replaceAll("$1");
        return new HeadingText(ESCAPE.matcher(MARK.matcher(unlinked).replaceAll("")).replaceAll("$1").strip(), id);
    }

    /** What a heading says. @param id in the page, if it is known */
    record HeadingText(String text, Optional<String> id) {}
}
