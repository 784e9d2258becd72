#!/bin/bash
# POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE, and *.sql and *.sh of the first start.
set -euo pipefail
readonly programs=/opt/pgsql/bin
readonly socket=/var/run/postgresql

if [[ $(id -u) == 0 ]]; then
  chown -R postgres "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi

export POSTGRES_USER=${POSTGRES_USER:-postgres}
export POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
if [[ ! -s $PGDATA/PG_VERSION ]]; then
  password=${POSTGRES_PASSWORD:-$(cat "${POSTGRES_PASSWORD_FILE:-/dev/null}")}
  [[ -n $password ]] || { echo 'POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE must be set' >&2; exit 1; }
  chmod 0700 "$PGDATA"
  "$programs/initdb" -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=<(printf '%s\n' "$password") \
    --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --locale=C.UTF-8
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  "$programs/pg_ctl" -D "$PGDATA" -w -o "-c listen_addresses='' -c unix_socket_directories=$socket" start
  psql=(psql -v ON_ERROR_STOP=1 --no-psqlrc -h "$socket" -U "$POSTGRES_USER")
  if [[ $POSTGRES_DB != postgres ]]; then
    printf 'CREATE DATABASE :"name";\n' | "${psql[@]}" -d postgres -v "name=$POSTGRES_DB"
  fi
  export PGHOST=$socket
  for script in /docker-entrypoint-initdb.d/*; do
    case $script in
      *.sh) if [[ -x $script ]]; then "$script"; else . "$script"; fi ;;
      *.sql) "${psql[@]}" -d "$POSTGRES_DB" -f "$script" ;;
    esac
  done
  unset PGHOST
  "$programs/pg_ctl" -D "$PGDATA" -m fast -w stop
fi
shift
exec "$programs/postgres" -D "$PGDATA" -c listen_addresses='*' -c "unix_socket_directories=$socket" "$@"
