#!/bin/bash
# Every CONNECT_A_B becomes the setting a.b; a few names are usual without the prefix.
set -euo pipefail
export CONNECT_BOOTSTRAP_SERVERS=${CONNECT_BOOTSTRAP_SERVERS:-${BOOTSTRAP_SERVERS:?}}
export CONNECT_GROUP_ID=${CONNECT_GROUP_ID:-${GROUP_ID:-1}}
export CONNECT_CONFIG_STORAGE_TOPIC=${CONFIG_STORAGE_TOPIC:?}
export CONNECT_OFFSET_STORAGE_TOPIC=${OFFSET_STORAGE_TOPIC:?}
export CONNECT_STATUS_STORAGE_TOPIC=${STATUS_STORAGE_TOPIC:-connect-status}
export CONNECT_KEY_CONVERTER=${KEY_CONVERTER:-org.apache.kafka.connect.json.JsonConverter}
export CONNECT_VALUE_CONVERTER=${VALUE_CONVERTER:-org.apache.kafka.connect.json.JsonConverter}
export CONNECT_OFFSET_FLUSH_INTERVAL_MS=${OFFSET_FLUSH_INTERVAL_MS:-60000}
export CONNECT_REST_ADVERTISED_HOST_NAME=${ADVERTISED_HOST_NAME:-$HOSTNAME}
export CONNECT_REST_ADVERTISED_PORT=${ADVERTISED_PORT:-8083}
export CONNECT_LISTENERS=${CONNECT_LISTENERS:-http://:8083}
export CONNECT_PLUGIN_PATH=${CONNECT_PLUGIN_PATH:-/kafka/connect}

while read -r variable; do
  key=${variable#CONNECT_}
  key=${key,,}
  printf '%s=%s\n' "${key//_/.}" "${!variable}"
done < <(compgen -e CONNECT_) >/kafka/config/connect-distributed.properties
# shellcheck disable=SC2086 # several words
exec java ${HEAP_OPTS:--Xmx512m} -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Djava.awt.headless=true \
  -Dlogback.configurationFile=/logback.xml -cp '/kafka/libs/*' \
  org.apache.kafka.connect.cli.ConnectDistributed /kafka/config/connect-distributed.properties
