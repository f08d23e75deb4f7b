# The PostgreSQL that the image is tried with. Its data are gone with its container.
ARG NODE_IMAGE
FROM ${NODE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends postgresql-15 \
  && rm -rf /var/lib/apt/lists/* \
  && rm -rf /var/lib/postgresql/15/main
USER postgres
ENV PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin
# A fast shutdown, which does not wait for connections to end.
STOPSIGNAL SIGINT
CMD ["/bin/sh", "-c", "initdb -D /tmp/data -U svc --auth=scram-sha-256 --pwfile=/run/secrets/database_password -E UTF8 > /dev/null \
  && exec postgres -D /tmp/data -c listen_addresses=127.0.0.1 -c port=$PORT -c unix_socket_directories="]
