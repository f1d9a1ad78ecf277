package io.trawl.coordinator.webhook;

import io.trawl.definition.WebhookEvent;
import io.trawl.definition.Webhook;
import io.trawl.coordinator.webhook.WebhookSender.Result;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events for one receiver, sent in order by a thread of their own, so that a receiver that does not answer delays
 * no other one. A receiver that falls behind gets the events that have no place here from the topic. Thread-safe.
 */
final class ReceiverQueue implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverQueue.class);
    /** The most events in memory: those after them are read again when these are delivered. */
    private static final int CAPACITY = 2000;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 9;
    private final String receiver;
    private final WebhookDeliveries webhookDeliveries;
    private final WebhookSender webhookSender;
    private final Time time;
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    /** The events from here up to the end are in the topic only; none if both are the same. */
    private long missedFrom;
    private long missedEnd;

    /**
     * An event for a receiver.
     *
     * @param offset in the topic
     * @param written when it came into the topic
     */
    record Delivery(Webhook to, long offset, Instant written, WebhookEvent event) {}

    ReceiverQueue(String receiver, WebhookSender webhookSender, Time time, WebhookDeliveries webhookDeliveries) {
        this.receiver = receiver;
        this.webhookSender = webhookSender;
        this.time = time;
        this.webhookDeliveries = webhookDeliveries;
    }

    void add(Delivery delivery) {
        synchronized (waiting) {
            if (missedFrom < missedEnd) {
                missedEnd = delivery.offset() + 1;
            } else if (waiting.size() < CAPACITY) {
                open(delivery);
            } else {
                missedFrom = delivery.offset();
                missedEnd = delivery.offset() + 1;
                webhookDeliveries.opened(missedFrom, receiver);
            }
            waiting.notifyAll();
        }
    }

    private void open(Delivery delivery) {
        webhookDeliveries.opened(delivery.offset(), receiver);
        waiting.addLast(delivery);
    }

    @Override
    public void run() {
        try {
            while (true) {
                Delivery next = first();
                try {
                    deliver(next);
                } catch (RuntimeException e) {
                    // A defect: it costs this receiver one event, and no other receiver anything.
                    LOG.error("error while delivering an event, which is dropped", e);
                    webhookDeliveries.givenUp(next, "an error of this process: see its log");
                }
                synchronized (waiting) {
                    waiting.removeFirst();
                }
            }
        } catch (InterruptedException e) {
            // The next leader continues.
            Thread.currentThread().interrupt();
        }
    }

    private Delivery first() throws InterruptedException {
        while (true) {
            long from;
            long end;
            synchronized (waiting) {
                while (waiting.isEmpty() && missedFrom == missedEnd) {
                    waiting.wait();
                }
                if (!waiting.isEmpty()) {
                    return waiting.getFirst();
                }
                from = missedFrom;
                end = missedEnd;
            }
            readAgain(from, end);
        }
    }

    /** Without the lock: only this thread moves the beginning of what is missed. */
    private void readAgain(long from, long end) throws InterruptedException {
        try {
            WebhookDeliveries.Missed missed = webhookDeliveries.missed(receiver, from, end, CAPACITY);
            synchronized (waiting) {
                missed.deliveries().forEach(this::open);
                missedFrom = missed.next();
                if (missedFrom < missedEnd) {
                    webhookDeliveries.opened(missedFrom, receiver);
                }
                if (missedFrom > from && missed.deliveries().stream().noneMatch(d -> d.offset() == from)) {
                    webhookDeliveries.closed(from, receiver);
                }
            }
        } catch (InterruptException e) {
            throw new InterruptedException("the delivery ends");
        } catch (KafkaException e) {
            LOG.debug("cannot read events again: {}", e.getMessage());
            time.pause(FIRST_PAUSE);
        }
    }

    private void deliver(Delivery delivery) throws InterruptedException {
        for (int tries = 0;; tries++) {
            switch (webhookSender.send(delivery.to(), delivery.event(), time.now())) {
                case Result.Delivered _ -> {
                    webhookDeliveries.delivered(delivery);
                    return;
                }
                case Result.Failed(String why, boolean last) -> {
                    if (last || !webhookDeliveries.failed(delivery, why)) {
                        webhookDeliveries.givenUp(delivery, why);
                        return;
                    }
                }
            }
            time.pause(pause(tries));
        }
    }

    /** Exponential back-off with jitter. */
    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        Duration most = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        return Duration.ofMillis((long) (most.toMillis() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }
}
