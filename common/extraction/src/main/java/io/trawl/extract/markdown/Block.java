package io.trawl.extract.markdown;

import java.util.List;
import org.jsoup.nodes.Element;

/** A block of a document. */
sealed interface Block {
    /** Lines of Markdown: a paragraph, a heading, a table or a thematic break. */
    record Lines(String text) implements Block {}

    /** A code block. @param language of the code, or empty */
    record Fence(String language, String text) implements Block {}

    /** A quotation. */
    record Quote(List<Block> blocks) implements Block {}

    /** A list. @param start the number of its first item, if it has numbers */
    record BlockList(boolean ordered, int start, List<List<Block>> items) implements Block {
        private static final int LARGEST_START = 900_000_000;

        /** The items of an element. */
        static BlockList of(Element list, List<List<Block>> items) {
            return new BlockList(list.normalName().equals("ol"), start(list), items);
        }

        private static int start(Element list) {
            Element first = list.firstElementChild();
            String start = list.hasAttr("start") ? list.attr("start") : first == null ? "" : first.attr("value");
            try {
                int number = start.isEmpty() ? 1 : Integer.parseInt(start.strip());
                return number < 0 || number > LARGEST_START ? 1 : number;
            } catch (NumberFormatException e) {
                return 1;
            }
        }

        /** Whether no item has more than a paragraph and lists that may interrupt it. */
        boolean tight() {
            return items.stream().allMatch(item -> {
                for (int i = 0; i < item.size(); i++) {
                    boolean fits = i == 0
                            ? !(item.get(i) instanceof Quote)
                            : item.get(i) instanceof BlockList list && (!list.ordered || list.start == 1)
                                    && list.tight();
                    if (!fits) {
                        return false;
                    }
                }
                return true;
            });
        }
    }
}
