package io.trawl.pipeline.format;

/** An item in the form of one file. @param bytes with the line feed */
public record FileLine(FileFormat format, byte[] bytes) {}
