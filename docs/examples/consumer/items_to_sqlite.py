#!/usr/bin/env python3
"""Reads the items of a kafka sink into a table of SQLite, each exactly once.

    python3 items_to_sqlite.py localhost:9094 shop.offers offers.db [CRAWL]

The rows and the offsets behind them are one transaction of SQLite, so this may be killed at any moment. It needs
python3-confluent-kafka of Debian, or confluent-kafka of PyPI, and no consumer group. It ends when it has read all that
is in the topic, so that cron can start it again.
"""
import json
import sqlite3
import sys

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

BROKERS, TOPIC, DATABASE, *CRAWL = sys.argv[1:]


def open_database():
    database = sqlite3.connect(DATABASE, isolation_level=None)
    database.execute("CREATE TABLE IF NOT EXISTS items (id TEXT, crawl TEXT, url TEXT, title TEXT, item TEXT)")
    database.execute("CREATE TABLE IF NOT EXISTS offsets (topic TEXT, part INT, next INT, PRIMARY KEY (topic, part))")
    return database


def open_consumer(database):
    """A consumer of all partitions from the offsets in the database, and the numbers of the partitions."""
    consumer = Consumer({
        "bootstrap.servers": BROKERS,
        "group.id": "unused",
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "enable.partition.eof": True,
        "isolation.level": "read_committed",  # items of transactions that were aborted come again
    })
    known = dict(database.execute("SELECT part, next FROM offsets WHERE topic = ?", [TOPIC]))
    partitions = set(consumer.list_topics(TOPIC, 10).topics[TOPIC].partitions)
    consumer.assign([TopicPartition(TOPIC, part, known.get(part, 0)) for part in partitions])
    return consumer, partitions


def store(database, messages):
    database.execute("BEGIN")
    for message in messages:
        item = json.loads(message.value())
        if not CRAWL or dict(message.headers())["crawl"].decode() in CRAWL:
            database.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?)", [
                message.key().decode(), item.get("crawl"), item.get("url"), item.get("title"), message.value().decode()])
        database.execute("INSERT OR REPLACE INTO offsets VALUES (?, ?, ?)", [
            TOPIC, message.partition(), message.offset() + 1])
    database.execute("COMMIT")


def main():
    database = open_database()
    consumer, unread = open_consumer(database)
    while unread:
        items = []
        for message in consumer.consume(500, 1):
            if not message.error():
                items.append(message)
            elif message.error().code() == KafkaError._PARTITION_EOF:
                unread.discard(message.partition())
            else:
                raise KafkaException(message.error())
        store(database, items)
    print(database.execute("SELECT count(*) FROM items").fetchone()[0], "items in", DATABASE)


if __name__ == "__main__":
    main()
