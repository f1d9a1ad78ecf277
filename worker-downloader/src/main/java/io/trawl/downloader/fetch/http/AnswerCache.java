package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.Sha256;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hc.client5.http.cache.HttpCacheContext;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.cache.CacheConfig;
import org.apache.hc.client5.http.impl.cache.CachingHttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.utils.DateUtils;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;

/**
 * Keeps pages while their server lets them be used again (RFC 9111), in bounded memory. It decides as a shared cache:
 * what is {@code private} or {@code no-store}, answers a request with {@code Authorization}, varies, or has no explicit
 * time is not used for another request; what is stale is asked for with its validators. The rules are those of the
 * cache of Apache HttpClient, whose last step, the exchange, is given by the caller. Thread-safe.
 */
public final class AnswerCache implements AutoCloseable {
    private static final String CALL = "trawl.call";
    /** One body takes a part of the memory at most. */
    private static final int LARGEST_PART = 4;
    /** The library knows URLs by their digest alone, so their spelling and length are no matter of its. */
    private static final HttpHost ANSWERS = new HttpHost("http", "answers");
    private final LimitedStorage storage;
    private final CloseableHttpClient client;
    private final Time time;

    /** Asks the server. */
    public interface OriginServer {
        /**
         * Sends the request.
         *
         * @param conditions headers to add: the validators of what is kept
         * @throws IOException if it may not be sent
         */
        FetchResult ask(Map<String, String> conditions) throws IOException, InterruptedException;
    }

    /** @param bytes the memory for all answers together */
    public AnswerCache(long bytes, Time time) {
        this.time = time;
        this.storage = new LimitedStorage(bytes);
        CacheConfig rules = CacheConfig.custom().setSharedCache(true).setMaxObjectSize(bytes / LARGEST_PART)
                .setHeuristicCachingEnabled(false).build();
        this.client = CachingHttpClientBuilder.create().setCacheConfig(rules).setHttpCacheStorage(storage)
                .replaceExecInterceptor(ChainElement.PROTOCOL.name(), AnswerCache::exchange).disableRedirectHandling()
                .disableAutomaticRetries().disableContentCompression().disableCookieManagement().build();
    }

    /** One request, on the way through the rules. */
    private static final class Call {
        private final OriginServer origin;
        private Optional<FetchResult> asked = Optional.empty();
        private Optional<Exception> problem = Optional.empty();

        Call(OriginServer origin) {
            this.origin = origin;
        }

        boolean answered() {
            return problem.isEmpty() && asked.filter(result -> result.outcome() instanceof Outcome.Failure
                    || result.outcome() instanceof Outcome.Refused).isEmpty();
        }
    }

    /**
     * The answer to a request: a kept one, for which nothing is sent, or that of the server.
     *
     * @param owner to whom answers belong: those of another are not used
     * @param headers of the request
     * @throws IOException that of the origin
     */
    public FetchResult get(String owner, String url, Map<String, String> headers, OriginServer origin)
            throws IOException, InterruptedException {
        ClassicHttpRequest request = ClassicRequestBuilder.get("/" + Sha256.hex(owner + ' ' + url)).build();
        headers.forEach(request::addHeader);
        Call call = new Call(origin);
        HttpCacheContext context = HttpCacheContext.create();
        context.setAttribute(CALL, call);
        try (ClassicHttpResponse response = client.executeOpen(ANSWERS, request, context)) {
            FetchResult answer = result(response, call);
            return call.answered() ? answer : failed(call);
        } catch (IOException e) {
            return failed(call);
        }
    }

    private static FetchResult failed(Call call) throws IOException, InterruptedException {
        if (call.problem.isPresent()) {
            switch (call.problem.get()) {
                case IOException e -> throw e;
                case InterruptedException e -> throw e;
                case Exception e -> throw new IllegalStateException(e);
            }
        }
        return call.asked.orElseThrow(() -> new UncheckedIOException(new IOException("the cache has no answer")));
    }

    private static ClassicHttpResponse exchange(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain next)
            throws IOException, HttpException {
        Call call = (Call) scope.clientContext.getAttribute(CALL);
        try {
            FetchResult result = call.origin.ask(conditions(request));
            call.asked = Optional.of(result);
            if (call.answered()) {
                return response(result);
            }
            throw new IOException("no answer");
        } catch (InterruptedException e) {
            call.problem = Optional.of(e);
            throw new InterruptedIOException();
        } catch (IOException e) {
            call.problem = call.asked.isPresent() ? Optional.empty() : Optional.of(e);
            throw e;
        }
    }

    private static Map<String, String> conditions(ClassicHttpRequest request) {
        return Stream.of(HttpHeaders.IF_NONE_MATCH, HttpHeaders.IF_MODIFIED_SINCE).filter(request::containsHeader)
                .collect(Collectors.toMap(name -> name, name -> request.getFirstHeader(name).getValue()));
    }

    /** What is cut is not kept; an answer without a date has the time at which it came (RFC 9110 section 6.6.1). */
    private static ClassicHttpResponse response(FetchResult result) {
        boolean page = result.outcome() instanceof Outcome.Success;
        boolean cut = result.outcome() instanceof Outcome.Success success && success.truncated();
        ClassicHttpResponse response = new BasicClassicHttpResponse(Integer.parseInt(result.outcome().detail()));
        result.headers().forEach(response::addHeader);
        if (!response.containsHeader(HttpHeaders.DATE)) {
            response.addHeader(HttpHeaders.DATE, DateUtils.formatStandardDate(result.at()));
        }
        if (cut || !page && response.getCode() != 304) {
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        if (page) {
            response.removeHeaders(HttpHeaders.CONTENT_LENGTH);
            response.removeHeaders(HttpHeaders.CONTENT_ENCODING);
            response.removeHeaders(HttpHeaders.TRANSFER_ENCODING);
            response.setEntity(new ByteArrayEntity(result.body().bytes(), ContentType.APPLICATION_OCTET_STREAM));
        }
        return response;
    }

    private FetchResult result(ClassicHttpResponse response, Call call) throws IOException {
        Optional<FetchResult> asked = call.asked
                .filter(own -> own.outcome().detail().equals(String.valueOf(response.getCode())));
        if (asked.isPresent()) {
            return asked.get();
        }
        Map<String, String> headers = new TreeMap<>();
        Arrays.stream(response.getHeaders()).forEach(header -> {
            String name = header.getName().toLowerCase(Locale.ROOT);
            headers.merge(name, header.getValue(), (first, next) -> FetchResult.joined(name, first, next));
        });
        byte[] body = response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
        return FetchResult.answered(response.getCode(), headers, new Body(body), false, Duration.ZERO, time.now());
    }

    /** The memory that is in use. */
    long bytes() {
        return storage.bytes();
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
