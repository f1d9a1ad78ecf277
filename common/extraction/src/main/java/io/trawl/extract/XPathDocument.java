package io.trawl.extract;

import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.TextPart;
import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.xpath.XPathEvaluationResult;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Element;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * A document in the form that the JDK's XPath reads, made once for all expressions of a page. Elements that an
 * expression finds are those of jsoup. Not thread-safe.
 */
final class XPathDocument {
    /** An expression may take time in proportion to the square of a document, and nothing interrupts it. */
    static final int MOST_ELEMENTS = 20_000;
    private static final int LONGEST = 500;
    private static final int MOST_SEARCHES = 3;
    private static final int DEEPEST = 2;
    private static final String RULE = "an XPath 1.0 expression of at most " + LONGEST + " characters, with at most "
            + MOST_SEARCHES + " searches such as // and at most " + DEEPEST + " predicates within each other";
    private final W3CDom converter;
    private final Document document;
    private final Map<Element, Node> nodes;

    /** An expression. Thread-safe: each thread compiles it once. */
    static final class Expression {
        private final String text;
        private final ThreadLocal<XPathExpression> compiled = ThreadLocal.withInitial(this::compile);

        /** @throws InvalidValueException if it is none, or could take too long */
        Expression(String text) {
            this.text = text;
            if (text.length() > LONGEST || searches(text) > MOST_SEARCHES || depth(text) > DEEPEST) {
                throw new InvalidValueException("", text, RULE);
            }
            compiled.get();
        }

        private static int searches(String text) {
            return text.split("//|descendant|ancestor|preceding|following", -1).length - 1;
        }

        private static int depth(String text) {
            int depth = 0;
            int deepest = 0;
            for (char c : text.toCharArray()) {
                depth += c == '[' ? 1 : c == ']' ? -1 : 0;
                deepest = Math.max(deepest, depth);
            }
            return deepest;
        }

        private XPathExpression compile() {
            try {
                XPathFactory factory = XPathFactory.newDefaultInstance();
                factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
                return factory.newXPath().compile(text);
            } catch (XPathExpressionException | javax.xml.xpath.XPathFactoryConfigurationException
                    | RuntimeException e) {
                throw new InvalidValueException("", text, RULE);
            }
        }
    }

    private XPathDocument(W3CDom converter, Document document, Map<Element, Node> nodes) {
        this.converter = converter;
        this.document = document;
        this.nodes = nodes;
    }

    /** @throws InvalidValueException if the document is too large */
    static XPathDocument of(org.jsoup.nodes.Node root) {
        if (!(root instanceof Element element) || element.getAllElements().size() > MOST_ELEMENTS) {
            throw new InvalidValueException("", "the page",
                    "a page of at most " + MOST_ELEMENTS + " elements for XPath");
        }
        W3CDom converter = new W3CDom().namespaceAware(false);
        Document document = element instanceof org.jsoup.nodes.Document whole
                ? converter.fromJsoup(whole)
                : converter.fromJsoup(element);
        Map<Element, Node> nodes = new IdentityHashMap<>();
        NodeList all = document.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            Node node = all.item(i);
            converter.sourceNodes(new One(node), Element.class).forEach(source -> nodes.put(source, node));
        }
        return new XPathDocument(converter, document, nodes);
    }

    /**
     * What an expression finds: elements, the values of other nodes, or the text of another result.
     *
     * @throws InvalidValueException if the expression cannot be evaluated
     */
    List<Part> select(Expression expression, Element context) {
        Node from = nodes.getOrDefault(context, document);
        try {
            XPathEvaluationResult<?> result = expression.compiled.get().evaluateExpression(from);
            if (!(result.value() instanceof XPathNodes found)) {
                return List.of(new TextPart(text(result.value())));
            }
            List<Part> parts = new ArrayList<>(found.size());
            for (Node node : found) {
                List<Element> source = converter.sourceNodes(new One(node), Element.class);
                parts.add(source.isEmpty()
                        ? new TextPart(String.valueOf(node.getTextContent()))
                        : new ElementPart(source.getFirst()));
            }
            return parts;
        } catch (XPathExpressionException e) {
            throw new InvalidValueException("", expression.text,
                    "an XPath that can be evaluated on this page: " + e.getMessage());
        }
    }

    /** Whole numbers without a fraction, as XPath writes them. */
    private static String text(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString(number.longValue())
                : value.toString();
    }

    /** A list of one node. */
    private record One(Node node) implements NodeList {
        @Override
        public Node item(int index) {
            return node;
        }

        @Override
        public int getLength() { return 1; }
    }
}
