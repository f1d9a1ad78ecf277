package io.trawl.pipeline.chunk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A page in Markdown and the places of its last edits. Places count characters of {@link #content}.
 *
 * @param edits from where to where something is new; where something is gone, both are equal
 */
record EditedPage(String text, List<int[]> edits) {
    private static final char BEGIN = '\u0002';
    private static final char END = '\u0001';
    private static final char GONE = '\u0003';
    private static final List<String> WORDS = words(new Random(7));

    private static List<String> words(Random random) {
        return IntStream.range(0, 3_000).mapToObj(_ -> random.ints(2 + random.nextInt(9), 'a', 'z' + 1)
                .mapToObj(Character::toString).collect(Collectors.joining())).toList();
    }

    /** Headings, paragraphs, lists, code and tables. */
    static EditedPage random(Random random) {
        List<String> blocks = new ArrayList<>(List.of("# " + words(random, 4)));
        int n = 10 + random.nextInt(60);
        for (int i = 0; i < n; i++) {
            blocks.add(block(random));
        }
        return new EditedPage(String.join("\n\n", blocks), List.of());
    }

    private static String block(Random random) {
        return switch (random.nextInt(20)) {
            case 0, 1 -> "## " + words(random, 5);
            case 2, 3 -> "### " + words(random, 5);
            case 4 -> lines(random, 12, _ -> "- " + sentence(random));
            case 5 -> "```java\n"
                    + lines(random, 40,
                            _ -> "  " + word(random) + "(" + word(random) + ", " + random.nextInt(100) + ");")
                    + "\n```";
            case 6 -> "| " + word(random) + " | n |\n|---|---|\n"
                    + lines(random, 30, _ -> "| " + words(random, 3) + " | " + random.nextInt(1000) + " |");
            default -> paragraph(random);
        };
    }

    private static String lines(Random random, int most, IntFunction<String> line) {
        return IntStream.range(0, 2 + random.nextInt(most)).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private static String word(Random random) {
        return WORDS.get((int) (Math.pow(random.nextDouble(), 2) * WORDS.size()));
    }

    private static String words(Random random, int most) {
        return IntStream.range(0, 1 + random.nextInt(most)).mapToObj(_ -> word(random))
                .collect(Collectors.joining(" "));
    }

    private static String sentence(Random random) {
        String words = word(random) + " " + words(random, 20);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    private static String paragraph(Random random) {
        return IntStream.range(0, 1 + random.nextInt(6)).mapToObj(_ -> sentence(random))
                .collect(Collectors.joining(" "));
    }

    /** The page after one to three edits. */
    EditedPage edited(Random random) {
        List<String> blocks = new ArrayList<>(Arrays.asList(text.split("\n\n")));
        int edits = 1 + random.nextInt(3);
        for (int i = 0; i < edits; i++) {
            edit(blocks, random.nextInt(blocks.size()), random);
        }
        return read(String.join("\n\n", blocks));
    }

    private static void edit(List<String> blocks, int at, Random random) {
        String block = blocks.get(at);
        boolean prose = Character.isLetter(block.charAt(0));
        int first = block.indexOf(". ");
        switch (random.nextInt(6)) {
            case 0 -> {
                String[] words = block.split(" ");
                int changed = random.nextInt(words.length);
                if (words[changed].matches("[a-z]+")) {
                    words[changed] = BEGIN + word(random) + END;
                }
                blocks.set(at, String.join(" ", words));
            }
            case 1 -> blocks.set(at,
                    prose && first > 0
                            ? block.substring(0, first + 2) + BEGIN + sentence(random) + END
                                    + block.substring(first + 1)
                            : block);
            case 2 -> {
                int second = block.indexOf(". ", first + 2);
                blocks.set(at,
                        prose && first > 0
                                ? block.substring(0, first + 1) + GONE + (second < 0 ? "" : block.substring(second + 1))
                                : block);
            }
            case 3 -> blocks.add(at, BEGIN + paragraph(random) + END);
            case 4 -> {
                if (prose && at + 1 < blocks.size()) {
                    blocks.remove(at);
                    blocks.set(at, GONE + blocks.get(at));
                }
            }
            default -> blocks.set(at, block.startsWith("#") ? block + " " + BEGIN + word(random) + END : block);
        }
    }

    private static EditedPage read(String marked) {
        List<int[]> edits = new ArrayList<>();
        int begin = 0;
        int place = 0;
        for (char c : content(marked).toCharArray()) {
            switch (c) {
                case BEGIN -> begin = place;
                case END -> edits.add(new int[]{begin, place});
                case GONE -> edits.add(new int[]{place, place});
                default -> place++;
            }
        }
        return new EditedPage(marked.replaceAll("[" + BEGIN + END + GONE + "]", ""), edits);
    }

    /** A text without white space. */
    static String tight(String text) {
        StringBuilder tight = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == BEGIN || c == END || c == GONE || !TokenCount.isSpace(c)) {
                tight.append(c);
            }
        }
        return tight.toString();
    }

    /** The lines of a text that are no fence and no head of a table, which chunks may repeat, without white space. */
    static String content(String markdown) {
        String lines = markdown.lines().filter(line -> !line.startsWith("```")).collect(Collectors.joining("\n"));
        return tight(lines.replaceAll("(?m)^.*\\n\\|---.*$", ""));
    }
}
