package io.trawl.pipeline.store;

import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.offset.LayoutHeader;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.model.CrawlRun;
import io.trawl.model.Response;
import io.trawl.pipeline.store.ResponseHandler.ReadResponse;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.spi.Capture;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Handles records of {@code responses} for the archive: those of present runs whose crawl has one are stored, all
 * others are skipped. Analyzers report what cannot be read. Confined to one thread.
 */
final class ResponseHandler implements RecordHandler<ReadResponse> {
    private final FileSink sink;
    private final ControlView control;
    private final String cluster;
    private final Time time;
    private final Set<CrawlRun> unknown = new HashSet<>();

    /** @param capture empty if the archive does not hold it */
    record ReadResponse(int partition, long offset, Optional<Capture> capture) {}

    /** @param cluster the short name of the deployment */
    ResponseHandler(FileSink sink, ControlView control, String cluster, Time time) {
        this.sink = sink;
        this.control = control;
        this.cluster = cluster;
        this.time = time;
    }

    @Override
    public List<ReadResponse> process(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
        List<ReadResponse> read = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            read.add(new ReadResponse(record.partition(), record.offset(), capture(record)));
        }
        return read;
    }

    private Optional<Capture> capture(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        Optional<Response> response = response(record)
                .filter(of -> !LayoutHeader.of(record.headers()).copy() && Capture.archived(of));
        Optional<CrawlStatus> crawl = response.isPresent() ? archives(response.get().run()) : Optional.empty();
        return response.filter(of -> crawl.isPresent() && readable(of)).map(of -> new Capture(cluster,
                record.partition(), record.offset(), of, crawl.flatMap(CrawlStatus::visits).isPresent()));
    }

    /** A damaged body is found when it is unpacked: a sink must not meet it. */
    private static boolean readable(Response response) {
        try {
            return response.body().bytes().length == response.body().length();
        } catch (MalformedRecordException e) {
            return false;
        }
    }

    private static Optional<Response> response(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(ResponseHeaders.response(record));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    /** The crawl of a run, if it has an archive. Refreshes control once for an unknown run. */
    private Optional<CrawlStatus> archives(CrawlRun run) throws InterruptedException {
        if (control.status(run) == RunStatus.UNKNOWN && unknown.add(run)) {
            control.refresh();
        }
        return control.crawl(run.crawl())
                .filter(crawl -> control.status(run) == RunStatus.PRESENT && crawl.definition().archives());
    }

    @Override
    public boolean store(ReadResponse read) throws InterruptedException {
        if (read.capture().isPresent()) {
            return sink.archive(read.partition(), read.offset(), read.capture().get(), time.now());
        }
        sink.skip(read.partition(), read.offset());
        return true;
    }
}
