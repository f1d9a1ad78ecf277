package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions in files, with the places of their faults. */
class CrawlFileTest {
    private static final CrawlVariables VARIABLES = new CrawlVariables(
            Map.of("TRAWL_VALUE_DEPTH", "2", "TRAWL_VALUE_HOST", "a.org", "TRAWL_VALUE_TEXT", "false",
                    "TRAWL_VALUE_BUILD", "7", "TRAWL_SECRET_A", "hush", "HOME", "/root"));
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final DefinitionRules RULES = new DefinitionRules(new Admission(2048), 3);

    private static DefinitionText yaml(String text) {
        return DefinitionText.yaml(text.getBytes(StandardCharsets.UTF_8));
    }

    private static CrawlDefinition read(DefinitionText text) {
        WrittenDefinition written = WrittenDefinition.read(text, VARIABLES);
        try {
            CrawlDefinition definition = written.complete(DOCS, RULES, Optional.empty());
            RULES.check(DOCS, definition);
            return definition;
        } catch (InvalidDefinitionException e) {
            throw written.placed(e);
        }
    }

    private static List<String> faults(DefinitionText text) {
        return catchThrowableOfType(InvalidDefinitionException.class, () -> read(text)).faults().stream()
                .map(Fault::placed).toList();
    }

    /** Each fault that a reader or a rule can find, at its place; \n is a line break. */
    private static final String FAULTS = """
            limits:\\n  depht: 2 | 2:3: limits.depht: '2' is not valid: one of the fields depth, host, maxBytes, maxPages, maxTime; did you mean limits.depth?
            limits: {depth: deep} | 1:10: limits.depth: 'deep' is not valid: a whole number of at most 2147483647, without quotes
            limits: {depth: '2'} | 1:10: limits.depth: '2' is not valid: a whole number of at most 2147483647, without quotes
            limits:\\n  depth: -2 | 2:3: limits.depth: '-2' is not valid: -1 (no limit) to 65535
            limits:\\n  maxPages: 0 | 2:3: limits.maxPages: '0' is not valid: at least 1
            limits:\\n  maxBytes: 0 | 2:3: limits.maxBytes: '0' is not valid: at least 1
            limits:\\n  maxTime: 1ms | 2:3: limits.maxTime: '1ms' is not valid: at least 1s
            limits:\\n  maxTime: soon | 2:3: limits.maxTime: 'soon' is not valid: a number with a unit of ms, s, m, h or d, for example 500ms or 2s
            limits:\\n  host: {maxUrls: 0} | 2:10: limits.host.maxUrls: '0' is not valid: at least 1
            limits:\\n  host: {maxErrors: 0} | 2:10: limits.host.maxErrors: '0' is not valid: at least 1
            limits:\\n  host: {maxTime: 0ms} | 2:10: limits.host.maxTime: '0ms' is not valid: at least 1s
            extract: {items: [{type: a b, fields: {x: h1}}]} | 1:20: extract.items[0].type: 'a b' is not valid: 1 to 64 letters, digits, _ and -, the first one a letter or _, and none of page and error
            extract: {items: [{type: t,\\n  each: 'a[', fields: {x: h1}}]} | 2:3: extract.items[0].each: 'a[' is not valid: a CSS selector: Did not find balanced marker at ''
            extract: {items: [{type: t, fields: {x: h1,\\n  y: {xpath: '][', type: number}}}]} | 2:7: extract.items[0].fields.y.xpath: '][' is not valid: an XPath 1.0 expression of at most 500 characters, with at most 3 searches such as // and at most 2 predicates within each other
            extract: {items: [{type: t, fields: {\\n  y: {css: a, transform: [trim, {cut: 3}]}}}]} | 2:33: extract.items[0].fields.y.transform[1]: '{cut=3}' is not valid: trim, lower, upper, {replace: [old, new]}, {split: text} or {join: text}
            extract: {items: [{type: t, fields: {\\n  y: {css: a, typ: number}}}]} | 2:15: extract.items[0].fields.y.typ: 'number' is not valid: one of the fields attribute, css, default, fields, formats, header, json, jsonld, list, locale, meta, microdata, onError, openGraph, page, regex, required, transform, type, xpath; did you mean type?
            extract: {items: [{typ: t, fields: {x: h1}}]} | 1:20: extract.items[0].typ: 't' is not valid: one of the fields each, fields, key, match, type; did you mean type?
            fetch:\\n  delay: 2h | 2:3: fetch.delay: '2h' is not valid: 0ms to 1h
            fetch:\\n  delay: 5 | 2:3: fetch.delay: '5' is not valid: a number with a unit of ms, s, m, h or d, for example 500ms or 2s
            fetch:\\n  userAgent: "" | 2:3: fetch.userAgent: '' is not valid: not empty, of visible ASCII characters and spaces
            fetch:\\n  userAgent: 7 | 2:3: fetch.userAgent: '7' is not valid: a text in quotes
            fetch:\\n  contact: nobody | 2:3: fetch.contact: 'nobody' is not valid: an e-mail address or an http(s) URL of at most 200 visible ASCII characters, without brackets
            fetch:\\n  profile: plane | 2:3: fetch.profile: 'plane' is not valid: one of plain, browser; did you mean plain?
            fetch:\\n  fetcher: My | 2:3: fetch.fetcher: 'My' is not valid: the name of a fetcher, of 1 to 64 of a-z 0-9 -
            fetch: My | 1:1: fetch.fetcher: 'My' is not valid: the name of a fetcher, of 1 to 64 of a-z 0-9 -
            fetch:\\n  login:\\n  - fields: {user: a} | 3:5: fetch.login[0].page: '' is not valid: the URL of a page with a form, in normal form: an absolute http or https URL without a fragment
            fetch:\\n  login:\\n  - page: https://a.org/in\\n    fields: {password: hush} | 4:14: fetch.login[0].fields.password: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            fetch:\\n  login:\\n  - page: https://a.org/in\\n    fields: {user: '${env:HOME}'} | 4:14: fetch.login[0].fields.user: '(hidden)' is not valid: ${env:TRAWL_SECRET_NAME}, with a name of A-Z, 0-9 and _
            fetch:\\n  login: {page: x} | 2:3: fetch.login: '{"page":"x"}' is not valid: a list, such as [...]
            fetch:\\n  login:\\n  - page: https://a.org/in\\n    fields: {user: a}\\n    success: 'a[' | 5:5: fetch.login[0].success: 'a[' is not valid: a CSS selector
            fetch:\\n  login:\\n  - page: https://a.org/in\\n    fields: {user: a}\\n    failure: 'a[' | 5:5: fetch.login[0].failure: 'a[' is not valid: a CSS selector
            fetch:\\n  login:\\n  - page: https://a.org/in\\n    fields: {user: a}\\n    form: 'a[' | 5:5: fetch.login[0].form: 'a[' is not valid: a CSS selector
            fetch:\\n  cookies: all | 2:3: fetch.cookies: 'all' is not valid: one of none, host
            fetch:\\n  cookies: 0 | 2:3: fetch.cookies: '0' is not valid: one of none, host
            fetch:\\n  cookies: "" | 2:3: fetch.cookies: '' is not valid: one of none, host
            fetch:\\n  proxy: p | 2:3: fetch.proxy: 'p' is not valid: http://host:port, with a port of 1 to 65535
            fetch:\\n  proxy: http://u:hush@p:1 | 2:3: fetch.proxy: 'http://(hidden)@p:1' is not valid: http://host:port, or http://user:${env:TRAWL_SECRET_NAME}@host:port, since a secret stands in no definition
            fetch:\\n  headers: {Authorization: hush} | 2:13: fetch.headers.Authorization: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            fetch:\\n  headers: {X: '${env:HOME}'} | 2:13: fetch.headers.X: '(hidden)' is not valid: ${env:TRAWL_SECRET_NAME}, with a name of A-Z, 0-9 and _
            fetch:\\n  headers: {a b: c} | 2:3: fetch.headers: 'a b' is not valid: names of letters, digits and -, values of visible ASCII characters
            fetch:\\n  cookie: é | 2:3: fetch.cookie: '(hidden)' is not valid: visible ASCII characters and spaces
            fetch:\\n  responseTimeout: 1ms | 2:3: fetch.responseTimeout: '1ms' is not valid: 100ms to 1h
            fetch:\\n  totalTimeout: 2h | 2:3: fetch.totalTimeout: '2h' is not valid: 100ms to 1h
            fetch:\\n  ignoreRobots: [a.org, '*'] | 2:25: fetch.ignoreRobots[1]: '*' is not valid: a host name or IP address, without scheme, port and path
            fetch:\\n  replay: ../docs-1 | 2:3: fetch.replay: '../docs-1' is not valid: a folder below TRAWL_DOWNLOADER_ARCHIVES, such as docs-1
            scope:\\n  domains: [a.org, co.uk] | 2:20: scope.domains[1]: 'co.uk' is not valid: a domain below the public suffix co.uk, such as example.co.uk
            scope:\\n  domains: a.org | 2:3: scope.domains: 'a.org' is not valid: a list, such as ["a.org"]
            scope: a.org | 1:1: scope: 'a.org' is not valid: an object with the fields domains, exclude, include, languages, maxDepth, maxPages, mediaTypes, otherLanguages, requisites, skipEndings
            scope:\\n  include: [/a, 're:('] | 2:17: scope.include[1]: 're:(' is not valid: a regular expression of RE2 after re:: error parsing regexp: missing closing ): `(`
            scope:\\n  exclude: ['/{a'] | 2:13: scope.exclude[0]: '/{a' is not valid: alternatives such as {a,b}, not one within another
            scope:\\n  exclude:\\n  - ' /a' | 3:5: scope.exclude[0]: ' /a' is not valid: 1 to 2000 characters, without blanks around them
            scope:\\n  include: /a | 2:3: scope.include: '/a' is not valid: a list, such as ["/a"]
            scope:\\n  maxDepth:\\n  - {match: /a, depth: -1} | 3:17: scope.maxDepth[0].depth: '-1' is not valid: 0 to 65535
            scope:\\n  maxDepth:\\n  - {depth: 1} | 3:5: scope.maxDepth[0].match: '' is not valid: it is required
            scope:\\n  maxDepth:\\n  - {match: /a} | 3:5: scope.maxDepth[0].depth: '' is not valid: it is required
            scope:\\n  maxDepth:\\n  - {match: 're:[', depth: 1} | 3:6: scope.maxDepth[0].match: 're:[' is not valid: a regular expression of RE2 after re:: error parsing regexp: missing closing ]: `[`
            scope:\\n  maxPages:\\n  - {match: /a, pages: 0} | 3:17: scope.maxPages[0].pages: '0' is not valid: 1 to 1000000000000
            scope:\\n  maxPages:\\n  - {match: /a, pages: 1, page: 1} | 3:27: scope.maxPages[0].page: '1' is not valid: one of the fields match, pages; did you mean pages?
            scope:\\n  mediaTypes: {include: [text]} | 2:26: scope.mediaTypes.include[0]: 'text' is not valid: a media type in lower case without parameters, such as text/html or text/*
            scope:\\n  mediaTypes: {exclude: [Text/html]} | 2:26: scope.mediaTypes.exclude[0]: 'Text/html' is not valid: a media type in lower case without parameters, such as text/html or text/*
            scope:\\n  mediaTypes: {type: a/b} | 2:16: scope.mediaTypes.type: 'a/b' is not valid: one of the fields exclude, include
            scope:\\n  skipEndings: [zip, .jpg] | 2:22: scope.skipEndings[1]: '.jpg' is not valid: the ending of a name without its dot, such as zip: 1 to 20 letters, digits, - or _
            scope:\\n  languages: [de, xy] | 2:19: scope.languages[1]: 'xy' is not valid: the code of ISO 639-1 of a language that Trawl tells, such as de, en or zh
            scope:\\n  languages: de | 2:3: scope.languages: 'de' is not valid: a list, such as ["de"]
            scope:\\n  otherLanguages: drop | 2:3: scope.otherLanguages: 'drop' is not valid: one of follow, ignore
            scope:\\n  skipEndings: zip | 2:3: scope.skipEndings: 'zip' is not valid: a list, such as [...]
            priorities: [{priority: 1}] | 1:14: priorities[0].match: '' is not valid: match, depth, sitemapPriority, lastmod or several; the priority of all others is that of the crawl
            priorities: [{sitemapPriority: 1.5, priority: 1}] | 1:15: priorities[0].sitemapPriority: '1.5' is not valid: 0 to 1
            priorities: [{lastmod: 0, priority: 1}] | 1:15: priorities[0].lastmod: '0ms' is not valid: longer than 0
            priorities: [{lastmod: 7 days, priority: 1}] | 1:15: priorities[0].lastmod: '7 days' is not valid: a number with a unit of ms, s, m, h or d, for example 500ms or 2s
            priorities: [{match: /a, priority: 3}] | 1:26: priorities[0].priority: '3' is not valid: 0 to 2
            priorities: [{match: /a, priority: 10}] | 1:26: priorities[0].priority: '10' is not valid: 0 to 9
            priorities: [{depth: -1, priority: 1}] | 1:15: priorities[0].depth: '-1' is not valid: 0 to 1000000000
            priorities: [{depth: 1}] | 1:14: priorities[0].priority: '' is not valid: it is required
            discover:\\n  from: all | 2:3: discover.from: 'all' is not valid: one of links, sitemap, both, seeds
            discover:\\n  links: [a, href] | 2:14: discover.links[1]: 'href' is not valid: one of a, area, frame, next, prev, alternate, canonical, refresh, text; did you mean area?
            discover:\\n  links: [a, image] | 2:14: discover.links[1]: 'image' is not valid: one of a, area, frame, next, prev, alternate, canonical, refresh, text; discover.requisites fetches what pages need
            discover:\\n  requisites: [style, css] | 2:23: discover.requisites[1]: 'css' is not valid: one of style, image, script, font, media, icon, object
            scope:\\n  requisites: true | 2:3: scope.requisites: 'true' is not valid: an object with the fields hosts, maxRequests
            scope:\\n  requisites: {hosts: ['']} | 2:24: scope.requisites.hosts[0]: '' is not valid: 1 to 2000 characters, without blanks around them
            scope:\\n  requisites: {maxRequests: 0} | 2:16: scope.requisites.maxRequests: '0' is not valid: 1 to 1000000000000
            discover:\\n  feed: true | 2:3: discover.feed: 'true' is not valid: one of the fields feeds, from, links, regions, requisites, sitemapDepth, sitemaps; did you mean discover.feeds?
            discover:\\n  regions: ['a['] | 2:13: discover.regions[0]: 'a[' is not valid: a CSS selector, or an XPath expression behind xpath:
            discover:\\n  sitemapDepth: 2 | 2:3: discover.sitemapDepth: '2' is not valid: 0 to 1
            discover:\\n  from: both\\n  sitemaps: [s.xml] | 3:14: discover.sitemaps[0]: 's.xml' is not valid: an absolute http or https URL: it has no scheme: an absolute URL begins with http:// or https://
            identity:\\n  dropParameters: [utm_*, a=b] | 2:27: identity.dropParameters[1]: 'a=b' is not valid: the name of a parameter, with * for any characters: 1 to 100 characters without & = ? # ;
            identity:\\n  keepParameters: [''] | 2:20: identity.keepParameters[0]: '' is not valid: the name of a parameter, with * for any characters: 1 to 100 characters without & = ? # ;
            identity: www | 1:1: identity: 'www' is not valid: an object with the fields dropParameters, ignoreScheme, ignoreTrailingSlash, ignoreWww, keepParameters, sortParameters
            identity:\\n  sortParameters: yes | 2:3: identity.sortParameters: 'yes' is not valid: true or false, without quotes
            identity:\\n  ignoreScheme: yes | 2:3: identity.ignoreScheme: 'yes' is not valid: true or false, without quotes
            identity:\\n  ignoreWww: yes | 2:3: identity.ignoreWww: 'yes' is not valid: true or false, without quotes
            identity:\\n  ignoreTrailingSlash: yes | 2:3: identity.ignoreTrailingSlash: 'yes' is not valid: true or false, without quotes
            identity:\\n  ignoreWWW: true | 2:3: identity.ignoreWWW: 'true' is not valid: one of the fields dropParameters, ignoreScheme, ignoreTrailingSlash, ignoreWww, keepParameters, sortParameters; did you mean identity.ignoreWww?
            fetch:\\n  rules:\\n  - match: '/{a'\\n    cookie: a | 3:5: fetch.rules[0].match: '/{a' is not valid: alternatives such as {a,b}, not one within another
            fetch:\\n  rules:\\n  - cookie: a | 3:5: fetch.rules[0].match: '' is not valid: a pattern of URLs, such as example.org/api/**
            fetch:\\n  rules:\\n  - match: /a\\n    method: TRACE | 4:5: fetch.rules[0].method: 'TRACE' is not valid: one of GET, HEAD, POST, PUT, PATCH, DELETE
            fetch:\\n  fetcher: browser\\n  rules:\\n  - match: /a\\n    method: POST | 5:5: fetch.rules[0].method: 'POST' is not valid: GET, since the fetcher 'browser' sends no other
            fetch:\\n  rules:\\n  - match: /a\\n    headers: {Authorization: hush} | 4:15: fetch.rules[0].headers.Authorization: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            fetch:\\n  auth:\\n  - host: a.org\\n    bearer: hush | 4:5: fetch.auth[0].bearer: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            fetch:\\n  auth:\\n  - host: a.org\\n    user: u | 3:5: fetch.auth[0]: 'a.org' is not valid: either user and password, or bearer
            fetch:\\n  proxies: ['p:1'] | 2:13: fetch.proxies[0]: 'p:1' is not valid: http://host:port, with a port of 1 to 65535
            fetch:\\n  proxies: ['http://u:hush@p:1'] | 2:13: fetch.proxies[0]: 'http://(hidden)@p:1' is not valid: http://host:port, or http://user:${env:TRAWL_SECRET_NAME}@host:port, since a secret stands in no definition
            extract:\\n  text: yes | 2:3: extract.text: 'yes' is not valid: true or false, without quotes
            extract:\\n  parsers: [html, html] | 2:19: extract.parsers[1]: 'html' is not valid: a name that is not empty and not in the list before
            process:\\n  processors:\\n  - word-count\\n  - require: itm.depth < 3 | 4:5: process.processors[1].require: 'itm.depth < 3' is not valid: an expression of CEL: line 1, column 1: undeclared reference to 'itm' (in container '')
            process:\\n  processors:\\n  - trm: [a] | 3:5: process.processors[0].trm: '["a"]' is not valid: one of the fields date, drop, keep, name, number, rename, replace, require, set, similar, trim, unique; did you mean trim?
            process:\\n  processors:\\n  - number: {field: a, locale: xx} | 3:24: process.processors[0].number.locale: 'xx' is not valid: a language with or without a country, such as de or de-CH
            process:\\n  processors:\\n  - unique: [a]\\n  - trim: [a] | 3:5: process.processors[0].unique: 'a' is not valid: the last step, since it is decided when all others are done
            process:\\n  processors:\\n  - similar: text\\n  - trim: [a] | 3:5: process.processors[0].similar: 'text' is not valid: the last step, or the last before unique
            sinks:\\n- {type: parquet, compress: gzip} | 2:19: sinks[0].compress: 'gzip' is not valid: zstd, or left out for Snappy
            process:\\n  processors:\\n  - number: {locale: de} | 3:5: process.processors[0].number.field: '' is not valid: it is required
            process:\\n  processors:\\n  - drop: a | 3:5: process.processors[0].drop: 'a' is not valid: a list, such as [...]
            sinks:\\n- type: jsonl\\n- type: cvs | 3:3: sinks[1].type: 'cvs' is not valid: jsonl, csv, parquet, warc, postgresql, kafka, opensearch, s3, or the type of a sink of a plug-in, which has a dot: at most 100 characters of a-z 0-9 . -
            sinks:\\n- type: acme.index | 2:3: sinks[0].name: '' is not valid: it is required for a sink of a plug-in
            sinks:\\n- type: opensearch | 2:3: sinks[0].settings.url: '' is not valid: it is required: an absolute http or https URL without user, query and fragment, of at most 200 characters
            sinks:\\n- {type: opensearch, settings: {url: 'http://u@h:9200'}} | 2:33: sinks[0].settings.url: 'http://(hidden)@h:9200' is not valid: an absolute http or https URL without user, query and fragment, of at most 200 characters
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', indexx: a}} | 2:55: sinks[0].settings.indexx: '(hidden)' is not valid: one of the settings url, index, user, password, template, write, gone
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', write: replace}} | 2:55: sinks[0].settings.write: 'replace' is not valid: append or upsert
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', write: upsert, gone: drop}} | 2:70: sinks[0].settings.gone: 'drop' is not valid: mark or delete
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', gone: delete}} | 2:55: sinks[0].settings.gone: 'delete' is not valid: left out without write: upsert
            sinks:\\n- {type: s3, settings: {bucket: pages, write: upsert}} | 2:40: sinks[0].settings.write: '(hidden)' is not valid: one of the settings bucket, endpoint, region, prefix, format, accessKey, secretKey
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', user: u, password: secret}} | 2:64: sinks[0].settings.password: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            sinks:\\n- {type: opensearch, settings: {url: 'http://h:9200', user: u}} | 2:22: sinks[0].settings: 'url, user' is not valid: both user and password, or neither
            sinks:\\n- {type: s3, settings: {bucket: pages, format: csv}} | 2:3: sinks[0].fields: '' is not valid: the columns of the files, at least one
            sinks:\\n- {type: jsonl, skip: true} | 2:17: sinks[0].skip: 'true' is not valid: left out for files, which are never behind
            sinks:\\n- {type: jsonl, from: pages} | 2:17: sinks[0].from: 'pages' is not valid: items or chunks
            sinks:\\n- {type: warc, from: chunks} | 2:16: sinks[0].from: 'chunks' is not valid: left out for an archive, which has no items
            sinks:\\n- {type: jsonl, types: [error], from: chunks} | 2:33: sinks[0].from: 'chunks' is not valid: left out for a sink that takes errors, which have no text
            sinks:\\n- {type: jsonl, chunks: {overlap: 9}} | 2:17: sinks[0].chunks: '' is not valid: left out, since the sink has no from: chunks
            sinks:\\n- {type: jsonl, from: chunks, fields: [links]} | 2:31: sinks[0].fields: 'links' is not valid: the fields of a chunk, of id, key, crawl, epoch, url, page, title, ordinal, headings, text, tokens, pages, language, sha256
            sinks:\\n- {type: jsonl, from: chunks, chunks: {maxTokens: 31}} | 2:40: sinks[0].chunks.maxTokens: '31' is not valid: 32 to 32768
            sinks:\\n- {type: jsonl, from: chunks, chunks: {maxTokens: 64, overlap: 33}} | 2:55: sinks[0].chunks.overlap: '33' is not valid: 0 to half of maxTokens, here 32
            sinks:\\n- type: csv | 2:3: sinks[0].fields: '' is not valid: the columns of the files, at least one
            sinks:\\n- type: jsonl\\n- type: jsonl | 3:3: sinks[1].type: 'jsonl' is not valid: a name that no sink before has; without a name, the type is the name
            sinks:\\n- {type: jsonl, name: A/b} | 2:17: sinks[0].name: 'A/b' is not valid: 1 to 30 characters of a-z 0-9 -, the first a letter
            sinks: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}] | 1:1: sinks: '11' is not valid: at most 10
            sinks:\\n- {type: jsonl, types: [a, a]} | 2:28: sinks[0].types[1]: 'a' is not valid: a name of at most 200 characters that is not empty and not in the list before
            sinks:\\n- {type: jsonl, settings: {a: 1}} | 2:17: sinks[0].settings: 'a' is not valid: left out for files
            sinks:\\n- {type: postgresql, settings: {url: db}} | 2:33: sinks[0].settings.url: 'db' is not valid: postgresql://host:port/database; user and password are settings of their own
            sinks:\\n- {type: postgresql, settings: {url: 'postgresql://u:hush@db/x'}} | 2:33: sinks[0].settings.url: 'postgresql://(hidden)@db/x' is not valid: postgresql://host:port/database; user and password are settings of their own
            sinks:\\n- {type: postgresql, settings: {url: 'postgresql://db/x', password: hush}} | 2:59: sinks[0].settings.password: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            sinks:\\n- {type: postgresql, settings: {url: 'postgresql://db/x', pasword: hush}} | 2:59: sinks[0].settings.pasword: '(hidden)' is not valid: one of the settings url, user, password, schema, table, sslmode, write, gone
            sinks:\\n- {type: postgresql, settings: {url: 'postgresql://db/x', sslmode: on}} | 2:59: sinks[0].settings.sslmode: 'on' is not valid: disable, prefer, require, verify-ca, verify-full
            sinks:\\n- {type: kafka, settings: {topic: t, gone: delete}} | 2:38: sinks[0].settings.gone: 'delete' is not valid: left out without write: upsert
            sinks:\\n- {type: kafka} | 2:3: sinks[0].settings.topic: '' is not valid: it is required: the name of a topic: 1 to 249 characters of A-Z a-z 0-9 . _ -, which does not begin with __
            sinks:\\n- {type: kafka, settings: {topic: trawl.items}} | 2:28: sinks[0].settings.topic: 'trawl.items' is not valid: a topic that is not one of Trawl's own
            sinks:\\n- {type: acme.x, name: x, settings: {key: '${env:TRAWL_SECRET_A}'}} | 2:38: sinks[0].settings.key: '${env:TRAWL_SECRET_A}' is not valid: ${env:TRAWL_VALUE_NAME}, with a name of A-Z, 0-9 and _; secrets may stand in headers, cookies, proxies, webhooks and sinks only
            sinks:\\n- {type: acme.x, name: x, settings: {apiKey: hush}} | 2:38: sinks[0].settings.apiKey: '(hidden)' is not valid: left out: a definition is shown to others, and a plug-in reads secrets from its own environment
            sinks:\\n- {type: jsonl, compress: zip} | 2:17: sinks[0].compress: 'zip' is not valid: gzip or zstd
            sinks:\\n- {type: jsonl, fields: [a, a]} | 2:29: sinks[0].fields[1]: 'a' is not valid: a name of at most 200 characters that is not empty and not in the list before
            process:\\n  processors:\\n  - ' ' | 3:5: process.processors[0]: ' ' is not valid: a name that is not empty and not in the list before
            process:\\n  failFast: | 2:3: process.failFast: 'null' is not valid: another value than null; leave the field out for its default
            priority: 3 | 1:1: priority: '3' is not valid: 0 to 2
            weight: 0 | 1:1: weight: '0' is not valid: 1 to 100
            keep: 0 | 1:1: keep: '0' is not valid: 1 to 1000
            keepFacts: 3651d | 1:1: keepFacts: '87624h' is not valid: 0s to 3650d
            refresh: true | 1:1: refresh: 'true' is not valid: an object with the fields compare, events, least, most, pages, unchanged, visitsPerDay
            refresh:\\n  compare: [title, ''] | 2:20: refresh.compare[1]: '' is not valid: the name of a field of items
            refresh:\\n  least: 0s | 2:3: refresh.least: '0ms' is not valid: 1s to 3650d
            refresh:\\n  most: 3651d | 2:3: refresh.most: '87624h' is not valid: 1s to 3650d
            refresh:\\n  least: 2h\\n  most: 1h | 2:3: refresh.least: '2h' is not valid: at most the time of most
            refresh:\\n  visitsPerDay: 0 | 2:3: refresh.visitsPerDay: '0' is not valid: 1 to 1000000000000
            refresh:\\n  pages: [{most: 1h}] | 2:11: refresh.pages[0].match: '' is not valid: it is required
            refresh:\\n  pages: [{match: /a, least: 2h, most: 1h}] | 2:23: refresh.pages[0].least: '2h' is not valid: at most the time of most
            refresh:\\n  pages: daily | 2:3: refresh.pages: 'daily' is not valid: a list, such as ["daily"]
            refresh:\\n  pages: [{match: /a, most: 0s}] | 2:23: refresh.pages[0].most: '0ms' is not valid: 1s to 3650d
            refresh:\\n  events: yes | 2:3: refresh.events: 'yes' is not valid: true or false, without quotes
            refresh:\\n  unchanged: 1 | 2:3: refresh.unchanged: '1' is not valid: true or false, without quotes
            schedule:\\n  cron: soon | 2:3: schedule.cron: 'soon' is not valid: minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *, or @hourly, @daily, @weekly, @monthly, @yearly
            schedule: {} | 1:1: schedule.cron: '' is not valid: minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *, or @hourly, @daily, @weekly, @monthly, @yearly
            schedule:\\n  cron: 0 0 30 2 * | 2:3: schedule.cron: '0 0 30 2 *' is not valid: a date that comes in some year
            schedule:\\n  cron: '@reboot' | 2:3: schedule.cron: '@reboot' is not valid: minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *, or @hourly, @daily, @weekly, @monthly, @yearly
            schedule:\\n  cron: 0 3 * * *\\n  zone: Mars | 3:3: schedule.zone: 'Mars' is not valid: a time zone such as UTC or Europe/Berlin
            webhooks:\\n- url: https://h.org/ | 2:3: webhooks[0].secret: '' is not valid: whsec_ and the Base64 of 24 to 64 bytes, or ${env:TRAWL_SECRET_NAME}
            webhooks:\\n- {url: 'https://h.org/', secret: '${env:TRAWL_SECRET_A}', events: [page.changed]} | 2:60: webhooks[0].events: 'page.changed' is not valid: an event of a crawl with refresh.events: true
            webhooks:\\n- {url: 'https://h.org/', events: [page.new]} | 2:36: webhooks[0].events[0]: 'page.new' is not valid: one of crawl.initialized, crawl.started, crawl.stopping, crawl.stopped, crawl.finished, crawl.changed, crawl.deleted, page.changed
            webhooks:\\n- url: h\\n  secret: ${env:TRAWL_SECRET_A} | 2:3: webhooks[0].url: 'h' is not valid: an absolute http or https URL without user information, of at most 2000 characters, with a port up to 65535
            seeds:\\n- https://a.org/\\n- mailto:x | 3:3: seeds[1].url: 'mailto:x' is not valid: an absolute http or https URL: the scheme 'mailto' is neither http nor https
            seeds:\\n- priorty: 1\\n  url: https://a.org/ | 2:3: seeds[0].priorty: '1' is not valid: one of the fields body, cookie, crawl, depth, fetcher, headers, metadata, method, parser, priority, proxy, url, wait; did you mean priority?
            seeds:\\n- url: https://a.org/\\n  wait: 2h | 3:3: seeds[0].wait: '2h' is not valid: 0ms to 1h
            seeds:\\n- url: https://a.org/\\n  depth: -1 | 3:3: seeds[0].depth: '-1' is not valid: 0 to 1000000000
            seeds:\\n- url: https://a.org/\\n  crawl: other | 3:3: seeds[0].crawl: 'other' is not valid: left out, or docs
            seeds:\\n- url: https://u:hush@a.org/ | 2:3: seeds[0].url: 'https://(hidden)@a.org/' is not valid: a URL without a password, which is never sent; the header Authorization takes a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            limits:\\n  depth: 1\\n  depth: 2 | 3:3: limits.depth: 'depth' is not valid: a name that its object has once
            limits:\\n  depth: ${env:TRAWL_VALUE_NONE} | 2:3: limits.depth: '${env:TRAWL_VALUE_NONE}' is not valid: a variable that is set; the variable TRAWL_VALUE_NONE is not set in the environment of this process
            limits:\\n  depth: ${env:HOME} | 2:3: limits.depth: '${env:HOME}' is not valid: ${env:TRAWL_VALUE_NAME}, with a name of A-Z, 0-9 and _; secrets may stand in headers, cookies, proxies, webhooks and sinks only
            fetch:\\n  userAgent: ${env:TRAWL_SECRET_A} | 2:3: fetch.userAgent: '${env:TRAWL_SECRET_A}' is not valid: ${env:TRAWL_VALUE_NAME}, with a name of A-Z, 0-9 and _; secrets may stand in headers, cookies, proxies, webhooks and sinks only
            scope:\\n  domains: ['${env:TRAWL_VALUE_NONE}'] | 2:13: scope.domains[0]: '${env:TRAWL_VALUE_NONE}' is not valid: a variable that is set; the variable TRAWL_VALUE_NONE is not set in the environment of this process
            seeds: https://a.org/ | 1:1: seeds: 'https://a.org/' is not valid: a list, such as ["https://a.org/"]
            seeds:\\n- url: https://a.org/\\n  priority: 9 | 3:3: seeds[0].priority: '9' is not valid: 0 to 2
            seeds:\\n- url: https://a.org/\\n  headers: {a b: c} | 3:3: seeds[0].headers: 'a b' is not valid: names of letters, digits and -, values of visible ASCII characters
            seeds:\\n- url: https://a.org/\\n  headers: {Authorization: hush} | 3:13: seeds[0].headers.Authorization: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            seeds:\\n- url: https://a.org/\\n  cookie: é | 3:3: seeds[0].cookie: '(hidden)' is not valid: visible ASCII characters and spaces
            seeds:\\n- url: https://a.org/\\n  proxy: p | 3:3: seeds[0].proxy: 'p' is not valid: http://host:port, with a port of 1 to 65535
            seeds:\\n- url: https://a.org/\\n  parser: [html] | 3:3: seeds[0].parser: '[...]' is not valid: a text in quotes
            seeds:\\n- url: https://a.org/\\n  fetcher: My | 3:3: seeds[0].fetcher: 'My' is not valid: the name of a fetcher, of 1 to 64 of a-z 0-9 -
            seeds:\\n- url: https://a.org/\\n  method: TRACE | 3:3: seeds[0].method: 'TRACE' is not valid: one of GET, HEAD, POST, PUT, PATCH, DELETE
            seeds:\\n- url: https://a.org/\\n  body: q=1 | 3:3: seeds[0].body: '3 bytes' is not valid: none with the method GET
            seeds:\\n- url: https://a.org/\\n  metadata: a | 3:3: seeds[0].metadata: 'a' is not valid: an object with a text for each name
            seeds:\\n- url: https://a.org/\\n  metadata: {a: [b]} | 3:14: seeds[0].metadata.a: '[...]' is not valid: a text in quotes
            scope:\\n  maxDepth: 3 | 2:3: scope.maxDepth: '3' is not valid: a list, such as [...]
            scope:\\n  maxPages: 3 | 2:3: scope.maxPages: '3' is not valid: a list, such as [...]
            scope:\\n  maxPages:\\n  - {pages: 3} | 3:5: scope.maxPages[0].match: '' is not valid: it is required
            scope:\\n  mediaTypes: text/html | 2:3: scope.mediaTypes: 'text/html' is not valid: an object with the fields exclude, include
            discover: links | 1:1: discover: 'links' is not valid: an object with the fields feeds, from, links, regions, requisites, sitemapDepth, sitemaps
            discover:\\n  feeds: yes | 2:3: discover.feeds: 'yes' is not valid: true or false, without quotes
            limits: 3 | 1:1: limits: '3' is not valid: an object with the fields depth, host, maxBytes, maxPages, maxTime
            limits:\\n  host: 3 | 2:3: limits.host: '3' is not valid: an object with the fields maxErrors, maxTime, maxUrls
            fetch: [http] | 1:1: fetch: '["http"]' is not valid: an object with the fields auth, contact, cookie, cookies, delay, fetcher, headers, ignoreRobots, login, profile, proxies, proxy, replay, responseTimeout, rules, totalTimeout, userAgent
            fetch:\\n  rules: {match: /a} | 2:3: fetch.rules: '{"match":"/a"}' is not valid: a list, such as [...]
            fetch:\\n  rules:\\n  - match: /a\\n    headers: {a b: c} | 4:5: fetch.rules[0].headers: 'a b' is not valid: names of letters, digits and -, values of visible ASCII characters
            fetch:\\n  rules:\\n  - match: /a\\n    cookie: é | 4:5: fetch.rules[0].cookie: '(hidden)' is not valid: visible ASCII characters and spaces
            fetch:\\n  auth: {host: a.org} | 2:3: fetch.auth: '{"host":"a.org"}' is not valid: a list, such as [...]
            fetch:\\n  auth:\\n  - host: https://a.org/\\n    bearer: ${env:TRAWL_SECRET_A} | 3:5: fetch.auth[0].host: 'https://a.org/' is not valid: a host name or IP address, without scheme, port and path
            fetch:\\n  auth:\\n  - host: a.org\\n    user: a:b\\n    password: ${env:TRAWL_SECRET_A} | 4:5: fetch.auth[0].user: 'a:b' is not valid: visible ASCII characters without a colon
            fetch:\\n  auth:\\n  - host: a.org\\n    user: a\\n    password: hush | 5:5: fetch.auth[0].password: '(hidden)' is not valid: a reference such as ${env:TRAWL_SECRET_NAME}, since a secret stands in no definition
            extract: true | 1:1: extract: 'true' is not valid: an object with the fields anchors, fragments, items, language, markdown, page, parsers, text
            extract:\\n  anchors: yes | 2:3: extract.anchors: 'yes' is not valid: true or false, without quotes
            extract:\\n  markdown: yes | 2:3: extract.markdown: 'yes' is not valid: true or false, without quotes
            keepFacts: 1 | 1:1: keepFacts: '1' is not valid: a number with a unit of ms, s, m, h or d, for example 500ms or 2s
            extract:\\n  language: de | 2:3: extract.language: 'de' is not valid: true or false, without quotes
            extract:\\n  fragments: yes | 2:3: extract.fragments: 'yes' is not valid: true or false, without quotes
            extract:\\n  page: 1 | 2:3: extract.page: '1' is not valid: true or false, without quotes
            extract:\\n  items: {type: t} | 2:3: extract.items: '{"type":"t"}' is not valid: a list, such as [...]
            extract:\\n  items:\\n  - {type: t, match: 're:(', fields: {x: h1}} | 3:15: extract.items[0].match: 're:(' is not valid: a regular expression of RE2 after re:: error parsing regexp: missing closing ): `(`
            extract:\\n  items:\\n  - {type: t, fields: {}} | 3:15: extract.items[0].fields: '' is not valid: at least one field
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: 'a['}}} | 3:28: extract.items[0].fields.x.css: 'a[' is not valid: a CSS selector: Did not find balanced marker at ''
            extract:\\n  items:\\n  - {type: t, fields: {x: {json: '$['}}} | 3:28: extract.items[0].fields.x.json: '$[' is not valid: a JSONPath of at most 500 characters, with at most one .., without =~, and without arguments of functions
            extract:\\n  items:\\n  - {type: t, fields: {x: {jsonld: '$['}}} | 3:28: extract.items[0].fields.x.jsonld: '$[' is not valid: a JSONPath of at most 500 characters, with at most one .., without =~, and without arguments of functions
            extract:\\n  items:\\n  - {type: t, fields: {x: {meta: [a]}}} | 3:28: extract.items[0].fields.x.meta: '[...]' is not valid: a text in quotes
            extract:\\n  items:\\n  - {type: t, fields: {x: {openGraph: ''}}} | 3:28: extract.items[0].fields.x.openGraph: '' is not valid: a name
            extract:\\n  items:\\n  - {type: t, fields: {x: {microdata: ''}}} | 3:28: extract.items[0].fields.x.microdata: '' is not valid: a name
            extract:\\n  items:\\n  - {type: t, fields: {x: {header: ''}}} | 3:28: extract.items[0].fields.x.header: '' is not valid: a name
            extract:\\n  items:\\n  - {type: t, key: [y], fields: {x: h1}} | 3:21: extract.items[0].key[0]: 'y' is not valid: the name of a field of the rule, once
            extract:\\n  items:\\n  - {type: t, fields: {x: {page: titel}}} | 3:28: extract.items[0].fields.x.page: 'titel' is not valid: one of url, title, description, lang, language, canonical, text, author, date, contentType
            extract:\\n  items:\\n  - {type: t, fields: {x: {regex: '('}}} | 3:28: extract.items[0].fields.x.regex: '(' is not valid: a regular expression of RE2: error parsing regexp: missing closing ): `(`
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, attribute: ''}}} | 3:36: extract.items[0].fields.x.attribute: '' is not valid: a name
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, type: numbr}}} | 3:36: extract.items[0].fields.x.type: 'numbr' is not valid: one of text, html, markdown, number, date, money, url; did you mean number?
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, type: date, formats: [QQQQQQQQ]}}} | 3:58: extract.items[0].fields.x.formats[0]: 'QQQQQQQQ' is not valid: a format of dates, such as d. MMMM uuuu or dd/MM/uuuu HH:mm
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, type: number, locale: xx}}} | 3:50: extract.items[0].fields.x.locale: 'xx' is not valid: a language with or without a country, such as de or de-CH
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, list: yes}}} | 3:36: extract.items[0].fields.x.list: 'yes' is not valid: true or false, without quotes
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, required: yes}}} | 3:36: extract.items[0].fields.x.required: 'yes' is not valid: true or false, without quotes
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, type: number, default: none}}} | 3:50: extract.items[0].fields.x.default: 'none' is not valid: a value of the type number
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, transform: trim}}} | 3:36: extract.items[0].fields.x.transform: 'trim' is not valid: a list, such as [...]
            extract:\\n  items:\\n  - {type: t, fields: {x: {fields: {y: 'a['}}}} | 3:37: extract.items[0].fields.x.fields.y.css: 'a[' is not valid: a CSS selector: Did not find balanced marker at ''
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, xpath: //a}}} | 3:24: extract.items[0].fields.x: '2 sources' is not valid: one of css, xpath, json, jsonld, meta, openGraph, microdata, header, page and regex; css or xpath with json for JSON in an element
            fetch:\\n  headers: {Host: a.org} | 2:13: fetch.headers.Host: '(hidden)' is not valid: left out, since it belongs to the connection and not to a request
            seeds:\\n- url: https://a.org/\\n  headers: {content-length: '7'} | 3:13: seeds[0].headers.content-length: '(hidden)' is not valid: left out, since it belongs to the connection and not to a request
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, onError: page}}} | 3:36: extract.items[0].fields.x.onError: 'page' is not valid: one of field, item
            extract:\\n  items:\\n  - {type: t, fields: {x: {fields: 7}}} | 3:28: extract.items[0].fields.x.fields: '7' is not valid: an object with a text for each name
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, transform: [{split: ''}]}}} | 3:49: extract.items[0].fields.x.transform[0].split: '' is not valid: a text that is not empty
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, transform: [{replace: [a]}]}}} | 3:48: extract.items[0].fields.x.transform[0]: '{replace=[a]}' is not valid: trim, lower, upper, {replace: [old, new]}, {split: text} or {join: text}
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, transform: [{join: 7}]}}} | 3:48: extract.items[0].fields.x.transform[0]: '{join=7}' is not valid: trim, lower, upper, {replace: [old, new]}, {split: text} or {join: text}
            extract:\\n  items:\\n  - {type: t, fields: {x: {css: a, transform: [{replace: ['re:(', b]}]}}} | 3:49: extract.items[0].fields.x.transform[0].replace: 're:(' is not valid: a regular expression of RE2: error parsing regexp: missing closing ): `(`
            process: [] | 1:1: process: '[]' is not valid: an object with the fields failFast, processors
            process:\\n  processors:\\n  - {name: ''} | 3:5: process.processors[0]: '' is not valid: a name that is not empty and not in the list before
            process:\\n  processors:\\n  - {rename: [a]} | 3:6: process.processors[0].rename: '[...]' is not valid: an object with a text for each name
            process:\\n  processors:\\n  - {rename: {a: ''}} | 3:6: process.processors[0].rename: '' is not valid: names of 1 to 100 characters
            process:\\n  processors:\\n  - {drop: []} | 3:6: process.processors[0].drop: '0' is not valid: 1 to 100 fields
            process:\\n  processors:\\n  - {keep: a} | 3:6: process.processors[0].keep: 'a' is not valid: a list, such as [...]
            process:\\n  processors:\\n  - {trim: [7]} | 3:13: process.processors[0].trim[0]: '7' is not valid: a text in quotes
            process:\\n  processors:\\n  - {set: a} | 3:6: process.processors[0].set: 'a' is not valid: an object with a text for each name
            process:\\n  processors:\\n  - {set: {}} | 3:6: process.processors[0].set: '0' is not valid: 1 to 100 fields
            process:\\n  processors:\\n  - {replace: a} | 3:6: process.processors[0].replace: 'a' is not valid: an object with the fields field, pattern, with
            process:\\n  processors:\\n  - {replace: {pattern: a, with: b}} | 3:6: process.processors[0].replace.field: '' is not valid: it is required
            process:\\n  processors:\\n  - {replace: {field: a, pattern: '(', with: b}} | 3:26: process.processors[0].replace.pattern: '(' is not valid: a regular expression of RE2: error parsing regexp: missing closing ): `(`
            process:\\n  processors:\\n  - {replace: {field: a, pattern: b}} | 3:6: process.processors[0].replace.with: '' is not valid: it is required
            process:\\n  processors:\\n  - {number: a} | 3:6: process.processors[0].number: 'a' is not valid: an object with the fields field, locale
            process:\\n  processors:\\n  - {date: a} | 3:6: process.processors[0].date: 'a' is not valid: an object with the fields field, formats, locale, zone
            process:\\n  processors:\\n  - {date: {locale: de}} | 3:6: process.processors[0].date.field: '' is not valid: it is required
            process:\\n  processors:\\n  - {date: {field: a, formats: [QQQQQQQQ]}} | 3:33: process.processors[0].date.formats[0]: 'QQQQQQQQ' is not valid: a format of dates, such as d. MMMM uuuu or dd/MM/uuuu HH:mm
            process:\\n  processors:\\n  - {date: {field: a, locale: xx}} | 3:23: process.processors[0].date.locale: 'xx' is not valid: a language with or without a country, such as de or de-CH
            process:\\n  processors:\\n  - {date: {field: a, zone: Mars}} | 3:23: process.processors[0].date.zone: 'Mars' is not valid: a time zone such as Europe/Berlin
            priorities: 1 | 1:1: priorities: '1' is not valid: a list, such as [...]
            schedule: daily | 1:1: schedule: 'daily' is not valid: an object with the fields cron, zone
            webhooks: {url: https://h.org/} | 1:1: webhooks: '{"url":"https://h.org/"}' is not valid: a list, such as [...]
            """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = FAULTS)
    void everyFaultHasItsLineItsColumnAndItsRule(String text, String fault) {
        assertThat(faults(yaml(text.replace("\\n", "\n")))).containsExactly(fault);
    }

    /** A new field needs a row of {@link #FAULTS}, so that its author reads the message of its rule. */
    @Test
    void everyFieldOfTheSchemaHasAFaultAmongThese() throws IOException {
        Set<String> named = FAULTS.lines().map(row -> row.replaceFirst(".*\\| \\d+:\\d+: (\\S+): '.*", "$1"))
                .map(field -> field.replaceAll("\\[\\d+]", "").replaceAll("\\bfields\\.\\w+", "fields"))
                .collect(Collectors.toSet());
        Set<String> fields = new TreeSet<>();
        try (InputStream in = CrawlFileTest.class.getResourceAsStream("/dashboard/crawl.schema.json")) {
            JsonNode schema = Json.mapper().readTree(in);
            fields(schema, schema, "", fields);
        }
        fields.removeAll(named);
        // The element of the list has the fault.
        fields.removeIf(
                name -> name.startsWith("extract.items.fields.transform.") || name.equals("process.processors.name"));
        assertThat(fields).as("fields without a row").isEmpty();
    }

    /** The fields of a part of the schema; those of fields within fields have their rows already. */
    private static void fields(JsonNode schema, JsonNode part, String path, Set<String> into) {
        JsonNode referred = schema.at(part.path("$ref").asText("#").substring(1));
        JsonNode known = part.has("$ref") ? referred : part;
        known.path("anyOf").forEach(one -> fields(schema, one, path, into));
        Stream.of("items", "additionalProperties").map(known::path).filter(JsonNode::isObject)
                .forEach(element -> fields(schema, element, path, into));
        known.path("properties").properties().forEach(field -> {
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (into.add(name) && !name.endsWith("fields.fields")) {
                fields(schema, field.getValue(), name, into);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            limits:\\n\\tdepth: 2 | 2:1
            limits: {depth: 2 | 1:18
            fetch: {userAgent: a: b} | 1:
            schedule:\\n  cron: * * * * * | 2:10
            seeds: [*a] | 1:9
            a: 1\\n---\\nb: 2 | 2:1
            - a | 1:1
            seeds | 1:1
            ? [a]\\n: b | 1:3
            `` | 1:1
            """)
    void whatIsNoYamlOrNoObjectIsNamedWithItsPlace(String text, String place) {
        assertThatThrownBy(() -> read(yaml(text == null ? "" : text.replace("\\n", "\n").replace("\\t", "\t"))))
                .isInstanceOfSatisfying(MalformedRecordException.class,
                        e -> assertThat(e.fault().orElseThrow().placed()).startsWith(place));
    }

    @Test
    void jsonHasPlacesToo() {
        String json = "{\n  \"limits\": {\"depth\": \"deep\"},\n  \"seeds\": [\"https://a.org/\",\n   \"mailto:é\", {\"url\":\"x\"}]\n}";
        assertThat(faults(DefinitionText.json(json.getBytes(StandardCharsets.UTF_8)))).satisfiesExactly(
                f -> assertThat(f).startsWith("2:14: limits.depth: 'deep'"),
                f -> assertThat(f).startsWith("4:4: seeds[1].url"),
                f -> assertThat(f).startsWith("4:17: seeds[2].url"));
        assertThatThrownBy(() -> read(DefinitionText.json("{\n x".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOfSatisfying(MalformedRecordException.class,
                        e -> assertThat(e.fault().orElseThrow().placed()).startsWith("2:2"));
    }

    @Test
    void allFaultsOfAFileAreNamedAtOnce() {
        assertThat(faults(yaml("""
                limits: {depht: 2, maxPages: 0}
                fetch:
                  delay: soon
                seeds: [mailto:x]
                """))).extracting(fault -> fault.replaceFirst(" .*", "")).containsExactly("1:10:", "3:3:", "1:20:",
                "4:9:");
    }

    @Test
    void variablesTakeTheTypeOfTheirField() {
        CrawlDefinition definition = read(yaml("""
                seeds:
                - url: https://${env:TRAWL_VALUE_HOST}/
                  depth: ${env:TRAWL_VALUE_BUILD}
                  metadata: {build: "${env:TRAWL_VALUE_BUILD}"}
                limits: {depth: "${env:TRAWL_VALUE_DEPTH}", maxPages: "${env:TRAWL_VALUE_BUILD}"}
                extract: {text: "${env:TRAWL_VALUE_TEXT}"}
                fetch: {cookie: "s=${env:TRAWL_SECRET_A}", userAgent: "B/${env:TRAWL_VALUE_BUILD}"}
                """));
        assertThat(definition.seeds()).singleElement().satisfies(seed -> {
            assertThat(seed.url()).contains("https://a.org/");
            assertThat(seed.depth()).contains(7);
            assertThat(seed.metadata()).containsEntry("build", "7");
        });
        assertThat(definition.limits().depth()).isEqualTo(2);
        assertThat(definition.limits().maxPages()).contains(7L);
        assertThat(definition.extract().text()).isFalse();
        assertThat(definition.fetch().userAgent()).isEqualTo("B/7");
        assertThat(definition.fetch().cookie()).as("a secret stays a reference").contains("s=${env:TRAWL_SECRET_A}");
    }

    @Test
    void anchorsRepeatWhatTheyName() {
        CrawlDefinition definition = read(yaml("""
                seeds:
                - &first {url: https://a.org/, headers: &h {X-A: b}}
                - {url: https://b.org/, headers: *h}
                """));
        assertThat(definition.seeds()).extracting(seed -> seed.headers().get("X-A")).containsExactly("b", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"laughs", "chain", "wide", "deep"})
    void whatASmallTextBecomesIsBounded(String bomb) {
        String text = switch (bomb) {
            case "laughs" -> IntStream.range(1, 20)
                    .mapToObj(i -> "a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ",").repeat(10) + "]\n")
                    .collect(Collectors.joining("", "a0: &a0 [x]\n", ""));
            case "chain" -> IntStream.range(1, 1000).mapToObj(i -> "a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n")
                    .collect(Collectors.joining("", "a0: &a0 [x]\n", ""));
            case "wide" -> "a: &a [" + "x,".repeat(100_000) + "x]\nb: [" + "*a,".repeat(100_000) + "*a]\n";
            default -> "seeds: " + "[".repeat(500_000);
        };
        assertThatThrownBy(() -> read(yaml(text))).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining(bomb.equals("deep")
                        ? "at most 32 levels, and 500000 values"
                        : "aliases that repeat at most 10000 values, and at most 32 levels");
    }

    @Test
    void scalarsAreThoseOfYaml12() {
        CrawlDefinition definition = read(yaml("""
                seeds: [https://a.org/]
                limits: {depth: 010, maxPages: +5}
                fetch: {contact: me@example.org, cookie: no, headers: {A: 12:30, B: 1_000, C: 2026-01-31, D: on}}
                """));
        assertThat(definition.limits().depth()).isEqualTo(10);
        assertThat(definition.limits().maxPages()).contains(5L);
        assertThat(definition.fetch().cookie()).contains("no");
        assertThat(definition.fetch().headers().values()).containsExactlyInAnyOrder("12:30", "1_000", "2026-01-31",
                "on");
    }

    @Test
    void aFileIsTheCrawlOfItsName() {
        assertThat(DefinitionText.crawl(Path.of("/etc/docs.example.yaml")).value()).isEqualTo("docs.example");
        assertThatThrownBy(() -> DefinitionText.crawl(Path.of("My Site.yml")))
                .isInstanceOf(InvalidValueException.class);
        assertThat(List.of("a.yaml", "a.yml", "a.json")).allMatch(name -> DefinitionText.isCrawlFile(Path.of(name)));
        assertThat(List.of("..data", ".a.yaml", "README.md", "a.yaml~", "a.yaml.swp"))
                .noneMatch(name -> DefinitionText.isCrawlFile(Path.of(name)));
    }

    @Test
    void aFileThatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> DefinitionText.of(Path.of("a.yaml"), new byte[(1 << 20) + 1]))
                .isInstanceOf(MalformedRecordException.class).hasMessageContaining("at most 1048576 bytes");
    }

    @Provide
    static Arbitrary<Map<String, Object>> definitions() {
        Arbitrary<String> texts = Arbitraries.strings().withChars(" azAZ09:#-&*!|>%@'\"[]{},?~=.").ofMinLength(1)
                .ofMaxLength(12).filter(text -> !text.isBlank());
        Arbitrary<Map<String, String>> headers = Arbitraries
                .maps(Arbitraries.of("X-A", "Accept", "null", "true", "7"), texts).ofMaxSize(3);
        Arbitrary<List<Map<String, Object>>> seeds = Combinators
                .combine(Arbitraries.of("https://a.org/", "http://b.org:8/x?y=#z"), headers,
                        Arbitraries.integers().between(0, 2), Arbitraries.of("0ms", "1500ms", "1h"), texts)
                .as((url, own, priority, wait, text) -> Map.<String, Object>of("url", url, "headers", own, "priority",
                        priority, "wait", wait, "metadata", Map.of("a", text)))
                .list().ofMaxSize(3);
        return Combinators
                .combine(seeds, headers, Arbitraries.integers().between(-1, 65_535),
                        Arbitraries.longs().between(1, Long.MAX_VALUE), Arbitraries.of(true, false), texts)
                .as((from, own, depth, pages, text, agent) -> Map.of("seeds", from, "fetch",
                        Map.of("headers", own, "userAgent", agent, "delay", "90s"), "limits",
                        Map.of("depth", depth, "maxPages", pages), "extract", Map.of("text", text), "schedule",
                        Map.of("cron", "0 3 * * *")));
    }

    /** Written as YAML and as JSON, whatever validates is one definition, and so is what is written again. */
    @Property(tries = 200)
    void aDefinitionThatIsReadAndWrittenIsTheSame(@ForAll("definitions") Map<String, Object> written)
            throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        CrawlDefinition definition = read(DefinitionText.json(Json.bytes(written)));
        assertThat(read(DefinitionText.yaml(yaml.writeValueAsBytes(written)))).isEqualTo(definition);
        assertThat(read(DefinitionText.yaml(Json.bytes(definition)))).as("JSON is YAML").isEqualTo(definition);
        byte[] again = yaml.writeValueAsBytes(Json.mapper().valueToTree(definition));
        assertThat(read(DefinitionText.yaml(again))).isEqualTo(definition);
    }
}
