package io.trawl.standalone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.standalone.TrawlCommand;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive of a page shows as the page did. */
class RequisitesIT {
    private static final String FILE = """
            seeds: ["%s"]
            limits: {depth: 0, maxPages: 1}
            fetch: {delay: 0ms}
            discover: {requisites: [style, image, script, font, media, icon, object]}
            sinks: [{type: jsonl}, {type: warc}]
            """;
    private static final List<String> IMAGES = List.of("/img.png", "/poster.png", "/icon.png", "/bg.png", "/inline.png",
            "/button.png", "/svg.png");
    @TempDir
    private Path temp;

    private static void site(FakeHost host, FakeHost cdn) throws IOException {
        host.page("/",
                """
                        <!DOCTYPE html><html><head><title>All kinds</title><link rel="icon" href="/icon.png">
                        <link rel="stylesheet" href="/style/main.css"><script src="%s"></script>
                        <style>#styled { background-image: url("/inline.png") }</style></head><body>
                        <h1 id="title">All kinds</h1><p id="styled">x</p><p class="boxed">y</p>
                        <img id="img" src="/small.png" srcset="/img.png 1x" alt="i"><input type="image" src="/button.png" alt="b">
                        <svg width="10" height="10"><image href="/svg.png" width="10" height="10"/></svg>
                        <video id="video" poster="/poster.png" src="/clip.wav" preload="auto"></video>
                        <audio id="audio" src="/sound.wav" preload="auto"></audio>
                        <object id="object" type="image/svg+xml" data="/object.svg"></object>
                        <embed src="/embed.svg" type="image/svg+xml"><a href="/next">next</a></body></html>"""
                        .formatted(cdn.url("/app.js")));
        host.route("/style/main.css", Behaviours.bytes("text/css", """
                @import url("more.css");
                @font-face { font-family: Own; src: url("../own.woff2") format("woff2") }
                h1 { color: rgb(1, 2, 3); font-family: Own, serif }""".getBytes(StandardCharsets.UTF_8)));
        host.route("/style/more.css", Behaviours.bytes("text/css",
                ".boxed { background: image-set(url('../bg.png') 1x) }".getBytes(StandardCharsets.UTF_8)));
        cdn.route("/app.js", Behaviours.bytes("text/javascript", "window.ran = true".getBytes(StandardCharsets.UTF_8)));
        host.route("/own.woff2", Behaviours.bytes("font/woff2", new byte[]{'w', 'O', 'F', '2'}));
        for (String image : Stream.concat(IMAGES.stream(), Stream.of("/small.png")).toList()) {
            host.route(image, Behaviours.bytes("image/png", png()));
        }
        for (String sound : List.of("/clip.wav", "/sound.wav")) {
            host.route(sound, Behaviours.bytes("audio/wav", wav()));
        }
        for (String svg : List.of("/object.svg", "/embed.svg")) {
            host.route(svg, Behaviours.bytes("image/svg+xml",
                    "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>"
                            .getBytes(StandardCharsets.UTF_8)));
        }
        host.page("/next", "<title>Not of the crawl</title>");
    }

    private static byte[] png() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB), "png", out);
        return out.toByteArray();
    }

    /** A tenth of a second of silence: PCM with 8 bits and 8,000 samples a second. */
    private static byte[] wav() {
        int samples = 800;
        ByteBuffer wav = ByteBuffer.allocate(44 + samples).order(ByteOrder.LITTLE_ENDIAN);
        wav.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + samples)
                .put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16).putShort((short) 1).putShort((short) 1)
                .putInt(8_000).putInt(8_000).putShort((short) 1).putShort((short) 8)
                .put("data".getBytes(StandardCharsets.US_ASCII)).putInt(samples);
        while (wav.hasRemaining()) {
            wav.put((byte) 128);
        }
        return wav.array();
    }

    @Test
    void anArchivedPageShowsFromItsArchiveAloneWithAllThatItNeeds() throws Exception {
        String page;
        try (FakeWeb web = FakeWeb.start(2)) {
            site(web.host(0), web.host(1));
            page = web.host(0).url("/");
            Path file = Files.writeString(temp.resolve("site.yaml"), FILE.formatted(page));
            TrawlCommand.Said said = TrawlCommand.run("crawl", "--file", file.toString(), "--out",
                    temp.resolve("pages").toString(), "--data", temp.resolve("data").toString(), "--quiet",
                    "--allow-network", "127.0.0.0/8");
            assertThat(said.code()).as(said.err()).isZero();
            assertThat(web.visits()).extracting(visit -> visit.url().replaceFirst("http://[^/]*", "")).as("each once")
                    .filteredOn(path -> !path.equals("/robots.txt")).doesNotHaveDuplicates().doesNotContain("/next")
                    .contains("/app.js", "/own.woff2", "/clip.wav", "/object.svg", "/embed.svg").containsAll(IMAGES);
        }
        try (WarcProxy archive = new WarcProxy(temp.resolve("pages/archive"));
                Chromium chromium = Chromium.start(Chromium.demand(), "--proxy-server=" + archive.address(),
                        "--proxy-bypass-list=<-loopback>");
                Tab tab = chromium.open(800, 600)) {
            tab.go(URI.create(page));
            tab.until("document.fonts.status === 'loaded'");
            String site = page.substring(0, page.length() - 1);
            await().untilAsserted(() -> assertThat(archive.served()).contains(site + "/sound.wav", site + "/clip.wav",
                    site + "/own.woff2", site + "/bg.png", site + "/embed.svg"));
            assertThat(tab.value("getComputedStyle(document.getElementById('title')).color").asText())
                    .isEqualTo("rgb(1, 2, 3)");
            assertThat(tab.value("window.ran").asBoolean()).as("the script").isTrue();
            assertThat(tab.value("document.getElementById('img').naturalWidth").asInt()).isEqualTo(4);
            assertThat(tab.value("document.getElementById('object').contentDocument !== null").asBoolean()).isTrue();
            assertThat(archive.missing()).as("what the archive lacks; the browser has questions of its own, too")
                    .doesNotContainAnyElementsOf(tab.requests());
            assertThat(tab.requests()).as("what the page asks for").contains(page).allSatisfy(
                    url -> assertThat(archive.served().contains(url) || url.startsWith("data:")).as(url).isTrue());
            assertThat(archive.served()).hasSizeGreaterThanOrEqualTo(15);
        }
    }
}
