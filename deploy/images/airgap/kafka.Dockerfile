ARG BASE=eclipse-temurin:25-jre
FROM ${BASE}
COPY libs/ /opt/kafka/libs/
COPY files/bin/ /opt/kafka/bin/
COPY files/etc/ /etc/kafka/docker/
RUN mkdir -p /opt/kafka/config /opt/kafka/logs /var/lib/kafka/data /mnt/shared/config /etc/kafka/secrets \
    && chown -R 1000:1000 /opt/kafka/config /opt/kafka/logs /var/lib/kafka /mnt/shared /etc/kafka \
    && chmod 0755 /etc/kafka/docker/run /opt/kafka/bin/kafka-run-class.sh
ENV PATH=/opt/kafka/bin:/opt/java/openjdk/bin:/usr/local/bin:/usr/bin:/bin
USER 1000:1000
EXPOSE 9092
VOLUME ["/etc/kafka/secrets", "/var/lib/kafka/data", "/mnt/shared/config"]
CMD ["/etc/kafka/docker/run"]
