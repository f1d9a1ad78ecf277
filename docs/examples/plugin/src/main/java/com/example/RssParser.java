package com.example;

import io.trawl.api.Link;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads RSS feeds: the title, and links to the entries, so that the crawl follows them. */
public class RssParser implements ResponseParser {
    @Override
    public String name() {
        return "rss";
    }

    @Override
    public boolean handles(Page page) {
        return page.contentType().equals("application/rss+xml");
    }

    @Override
    public Parsed parse(Page page) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader xml = factory.createXMLStreamReader(page.body());
        Map<String, Object> fields = new LinkedHashMap<>();
        List<Link> links = new ArrayList<>();
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT && xml.getNamespaceURI() == null) {
                switch (xml.getLocalName()) {
                    case "title" -> fields.putIfAbsent("title", xml.getElementText().strip());
                    case "link" -> links.add(Link.to(xml.getElementText().strip()));
                    default -> { }
                }
            }
        }
        return Parsed.of(fields, links);
    }
}
