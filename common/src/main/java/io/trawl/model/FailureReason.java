package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** Why there was no usable answer. Which of them are retried, and how often, is set in the downloader's retry policy. */
public enum FailureReason {
    /** The host name has no address. */
    DNS,
    /** No connection: refused, unreachable, reset before the answer. */
    CONNECT,
    /** The connection or the answer took longer than allowed. */
    TIMEOUT,
    /** The proxy cannot be reached, or does not let the request through. */
    PROXY,
    /** The TLS handshake failed. */
    TLS,
    /** The answer broke the rules of HTTP, or its body those of its encoding. */
    PROTOCOL,
    /** The inflated body or the headers passed their limit in a way that cannot be cut. */
    TOO_LARGE,
    /** More redirects in a row than allowed. */
    REDIRECTS,
    /** A page that no parser survives. */
    PARSE,
    /** Anything else; the cause tells. */
    @JsonEnumDefaultValue
    OTHER
}
