package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** Why there was no usable response. The downloader's retry policy says which of them are retried, and how often. */
public enum FailureReason {
    /** The host name has no address. */
    DNS,
    /** No connection: refused, unreachable, reset before the response. */
    CONNECT,
    /** The connection or the response took longer than allowed. */
    TIMEOUT,
    /** The proxy cannot be reached, or does not let the request through. */
    PROXY,
    /** The TLS handshake failed. */
    TLS,
    /** The response is not valid HTTP, or its body does not match its encoding. */
    PROTOCOL,
    /** The inflated body or the headers exceeded their limit and cannot be truncated. */
    TOO_LARGE,
    /** More redirects in a row than allowed. */
    REDIRECTS,
    /** The crawler is not logged in at the host, which has refused it. */
    LOGIN,
    /** The host's robots.txt is unreachable, which forbids everything until it is loaded again. */
    ROBOTS,
    /** A page over which analyzers fail or die. */
    PARSE,
    /** Anything else; the cause has details. */
    @JsonEnumDefaultValue
    OTHER
}
