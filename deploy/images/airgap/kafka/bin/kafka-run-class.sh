#!/bin/bash
exec java ${KAFKA_HEAP_OPTS:--Xmx512m} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow $KAFKA_LOG4J_OPTS $KAFKA_OPTS -cp '/opt/kafka/libs/*' "$@"
