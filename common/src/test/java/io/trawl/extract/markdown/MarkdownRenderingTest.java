package io.trawl.extract.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Markdown says what HTML says: no word becomes a mark, no mark becomes a word. */
class MarkdownRenderingTest {
    private static String markdown(String html) {
        return Markdown.of(Jsoup.parse(html).body(),
                href -> href.startsWith("javascript:") || href.startsWith("data:")
                        ? Optional.empty()
                        : Optional.of("https://a.org/" + href),
                _ -> false);
    }

    /** {@code ⏎} is a line feed. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', maxCharsPerColumn = 10_000, textBlock = """
            # Code
            <p><code><span class=pre>loads(x)</span> <span class=pre>!=</span> <span class=pre>x</span></code> | `loads(x) != x`
            <p><code>a`b</code> <code>`</code> <code>``a`</code> | ``a`b`` `` ` `` ``` ``a` ```
            <p><code>a</code><code>b</code> <code><b>c</b></code> <kbd>d</kbd><samp>e</samp> <tt>f</tt> | `ab` `c` `de` `f`
            <p><code> x </code>y <code><a href=u>f</a></code> <a href=u><code>f</code></a> | `x` y `f` [`f`](https://a.org/u)
            <p><em><code>q</code></em> <code>a<br>b</code> | "*`q`* `a`\\⏎`b`"
            <pre>[ <em><code>with_query</code></em> [, ...] ]</pre> | ```⏎[ with_query [, ...] ]⏎```
            <pre class=screen>$ <strong><code class=computeroutput>sudo apt</code></strong>⏎</pre> | ```⏎$ sudo apt⏎```
            <pre>a⏎```⏎b</pre> | ````⏎a⏎```⏎b⏎````
            <div class="highlight-python3 notranslate"><div class=highlight><pre><span></span>x⏎</pre></div></div> | ```python3⏎x⏎```
            <div class="highlight-default notranslate"><div class=highlight><pre>x</pre></div></div> | ```⏎x⏎```
            <pre class="brush: java; gutter: false">x</pre> | ```java⏎x⏎```
            <pre><code class="language-c++ hljs">x</code></pre> | ```c++⏎x⏎```
            <pre class="sourceCode sql">x</pre> | ```sql⏎x⏎```
            <ul><li>a<pre>b⏎ c</pre></ul> | - a⏎⏎  ```⏎  b⏎   c⏎  ```
            # Escapes
            <p>__init__ and snake_case, 2 * 3 * 4, *args, a[0], f(x) [1] | \\_\\_init\\_\\_ and snake_case, 2 * 3 * 4, \\*args, a[0], f(x) [1]
            "<p>1. a<p>2) b<p>- c<p>+ d<p># e<p>> f<p>3.5 g<p>#h<p>-1" | "1\\. a⏎⏎2\\) b⏎⏎\\- c⏎⏎\\+ d⏎⏎\\# e⏎⏎\\> f⏎⏎3.5 g⏎⏎#h⏎⏎-1"
            <p>&lt;b> a < b &amp;lt; R&amp;D C:\\new\\_x \\ ` ~/bin a~b | "\\<b> a < b \\&lt; R&D C:\\new\\\\\\_x \\\\ \\` ~/bin a\\~b"
            <p>[a](b) [x]: [^1] Look!<a href=u>a]</a> | [a\\](b) [x\\]: \\[^1] Look\\![a\\]](https://a.org/u)
            <p>a<br>===<br>---<br>-1 | a\\⏎\\===\\⏎\\---\\⏎-1
            <h2>A #</h2><h3>1. B</h3> | ## A \\#⏎⏎### 1. B
            # Marks
            <p>see <b>this </b>word for<i> more</i> of <a href=d>the docs </a>it | see **this** word for *more* of [the docs](https://a.org/d) it
            <p><b>a</b><b>b</b> <strong>c <b>d</b></strong> <b> </b> <s>e</s> | **ab** **c d** ~~e~~
            <p><b>注意：</b>请 <i>"a"</i>b x<b><code>y</code></b>z | **注意**：请 *"a*"b x`y`z
            <p><strong><a href=g>Hello </a></strong>Hello <a href=g><b>B</b></a>s | **[Hello](https://a.org/g)** Hello [**B**](https://a.org/g)s
            <p>10<sup>6</sup> H<sub>2</sub>O a<sup><a href=#fn1>1</a></sup> | 10<sup>6</sup> H<sub>2</sub>O a[1](https://a.org/#fn1)
            # Links and images
            <p><a href="a)b">A</a> <a href="X_(y)">B</a> <a href="javascript:x()">C</a> <a name=x>D</a> | [A](https://a.org/a\\)b) [B](https://a.org/X_(y)) C D
            <a href=n><h3>News</h3><p>More</p></a> | ### [News](https://a.org/n)⏎⏎[More](https://a.org/n)
            <p><a href=u><img src=i.png alt='a [b] * c'></a><img src='data:x'> | "[![a \\[b\\] * c](https://a.org/i.png)](https://a.org/u)"
            "<p><a href=u>[a<code>]: x</code></a>" | "\\[a`]: x`"
            # Blocks
            <div class=para>A</div><div>B</div>C<div><p>D</p></div> | A⏎⏎B⏎⏎C⏎⏎D
            <p>a<br>b<br><br>c<br> | a\\⏎b⏎⏎c
            <ol start=9><li>a<li>b<ul><li>c</ul></ol><ol><li>d</ol> | 9. a⏎10. b⏎    - c⏎⏎1) d
            <ul><li><p>a<p>b<li>c</ul> | - a⏎⏎  b⏎⏎- c
            <ul><li>a<ol start=3><li>b</ol><li>c</ul> | - a⏎⏎  3. b⏎⏎- c
            <dl><dt>T<dd>d<dt><code>c</code> x<dd><p>e<p>f</dl> | **T**⏎⏎d⏎⏎**`c` x**⏎⏎e⏎⏎f
            <dl><dt class="sig sig-object"><span>f</span>(<em>a</em>, *)<dd>d</dl> | **`f(a, *)`**⏎⏎d
            <blockquote><p>a<ul><li>b</ul></blockquote><hr>c | > a⏎>⏎> - b⏎⏎---⏎⏎c
            # Formulas
            <p><math alttext='a_1^2'><mi>a</mi></math> $5 <span class=math>\\(x\\)</span> | $a_1^2$ \\$5 $x$
            <p><span class=katex><math display=block><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\frac⏎{a}{b}</annotation></semantics></math></span> | $$\\frac {a}{b}$$
            <p>costs $5 and $6<script>x</script> | costs $5 and $6
            """)
    void theMeaningIsKept(String html, String markdown) {
        assertThat(markdown(html.replace('⏎', '\n'))).isEqualTo(markdown.replace('⏎', '\n'));
    }

    @Test
    void cellsHaveOneLineAndTablesAHead() {
        assertThat(markdown("""
                <table><caption>Operators</caption><tr><th>Op<th>Means</tr>
                <tr><td><code>?|</code></td><td>a|b<br>c<p>d</p></td></tr></table>""")).isEqualTo("""
                Operators

                | Op | Means |
                |---|---|
                | `?\\|` | a\\|b<br>c<br>d |""");
        assertThat(markdown("<table><tr><td>1<td>2<tr><td>3<td>4</table>"))
                .isEqualTo("|  |  |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |");
        assertThat(markdown(
                "<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<tr><td>6<td>7<td>8</table>"))
                .isEqualTo("""
                        | A |  | B |
                        |---|---|---|
                        | 1 | 2 | 3 |
                        |  | 4 | 5 |
                        | 6 | 7 | 8 |""");
    }

    @Test
    void cellsStayInTheirColumns() {
        assertThat(markdown("<table><thead><tr><th rowspan=2>A<th>B<th>C<tbody><tr><td>1<td>2<tr><td>3<td colspan=2>4"
                + "<tr><td colspan=2 rowspan=2>5<td>6<tr><td>7</table>")).isEqualTo("""
                        | A | B | C |
                        |---|---|---|
                        | 1 | 2 |  |
                        | 3 | 4 |  |
                        | 5 |  | 6 |
                        |  |  | 7 |""");
    }

    @Test
    void tablesThatHoldBlocksAreBlocks() {
        assertThat(markdown("<table><tr><td>1<td><pre>a\nb</pre><tr><td>2<td>c</table>"))
                .isEqualTo("1\n\n```\na\nb\n```\n\n2\n\nc");
    }

    @Test
    void whatHostilePagesAskForIsBounded() {
        String deep = markdown("<blockquote>".repeat(400) + "<p>x</p>".repeat(1_000));
        assertThat(deep.length()).isLessThan(100_000);
        String wide = markdown("<table>" + "<tr><td colspan=9999 rowspan=9999>x<td>y".repeat(1_000) + "</table>");
        assertThat(wide.length()).isLessThan(1_000_000);
        assertThat(markdown("<b>".repeat(10_000) + "x")).isEqualTo("**x**");
        assertThat(markdown("<ul><li>".repeat(300) + "x")).contains("x");
    }
}
