package io.trawl.process.builtin;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.model.InvalidValueException;
import java.util.List;
import java.util.Map;

/**
 * A condition on the pages of a crawl, in CEL, the Common Expression Language: pages for which it is not true are
 * dropped, errors pass. The language has no loops here (of its macros only {@code has}), and its regular expressions
 * are those of RE2, so a condition takes time in proportion to its own length and the size of the item. Thread-safe.
 */
final class ItemCondition implements ItemProcessor {
    private static final int LONGEST = 2_000;
    private static final int LONGEST_MESSAGE = 200;
    private final String text;
    private final CelRuntime.Program program;

    private ItemCondition(String text, CelRuntime.Program program) {
        this.text = text;
        this.program = program;
    }

    /** The language, set up when the first condition is read. */
    private static final class Language {
        private static final CelOptions OPTIONS = CelOptions.current().enableHeterogeneousNumericComparisons(true)
                .comprehensionMaxIterations(0).maxParseRecursionDepth(50).maxExpressionCodePointSize(LONGEST).build();
        private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder().setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.HAS)
                .addVar("item", MapType.create(SimpleType.STRING, SimpleType.DYN)).build();
        private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS)
                .build();
    }

    /**
     * Reads a condition.
     *
     * @throws InvalidValueException if it cannot be read, with line and column within it, or is neither true nor false
     */
    static ItemCondition parse(String text) {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new InvalidValueException("require", text, "an expression of CEL of 1 to " + LONGEST + " characters");
        }
        try {
            CelAbstractSyntaxTree tree = Language.COMPILER.compile(text).getAst();
            if (!tree.getResultType().equals(SimpleType.BOOL) && !tree.getResultType().equals(SimpleType.DYN)) {
                throw new InvalidValueException("require", text,
                        "an expression of CEL that is true or false, not of the type " + tree.getResultType().name());
            }
            return new ItemCondition(text, Language.RUNTIME.createProgram(tree));
        } catch (CelValidationException e) {
            throw new InvalidValueException("require", text, "an expression of CEL: " + place(e.getErrors(), e));
        } catch (CelEvaluationException e) {
            throw new InvalidValueException("require", text, "an expression of CEL: " + e.getMessage());
        }
    }

    /** The first fault; columns count from 1. */
    private static String place(List<CelIssue> issues, CelValidationException e) {
        return issues.stream().findFirst()
                .map(issue -> "line " + issue.getSourceLocation().getLine() + ", column "
                        + (issue.getSourceLocation().getColumn() + 1) + ": " + shortened(issue.getMessage()))
                .orElseGet(() -> shortened(String.valueOf(e.getMessage())));
    }

    private static String shortened(String message) {
        return message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "…" : message;
    }

    @Override
    public String name() {
        return "require";
    }

    @Override
    public ProcessedItem process(Item item) {
        return item.kind() == ItemKind.ERROR || holds(item) ? ProcessedItem.keep(item) : ProcessedItem.drop(text);
    }

    /** A missing field, or a text in the place of a number, makes no condition true. */
    private boolean holds(Item item) {
        try {
            return Boolean.TRUE.equals(program.eval(Map.of("item", new CelValues(new WholeItem(item)))));
        } catch (CelEvaluationException e) {
            return false;
        }
    }
}
