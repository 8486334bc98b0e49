#!/bin/sh
# Backs up the database of a server once a day, and deletes backups that are older than KEEP_DAYS.
# A backup that fails is tried again after a minute; none is ever overwritten or half written.
#
#   SKERRY_DATABASE=... BACKUPS=/backups KEEP_DAYS=30 backup.sh         (for ever)
#   SKERRY_DATABASE=... BACKUPS=/backups KEEP_DAYS=30 backup.sh --once
set -eu
BACKUPS=${BACKUPS:-/backups}
KEEP_DAYS=${KEEP_DAYS:-30}

back_up() {
  skerry backup "$BACKUPS/$(date -u +%Y-%m-%dT%H-%M-%SZ).skerry" &&
    find "$BACKUPS" -name '*.skerry' -mtime "+$KEEP_DAYS" -delete
}

if [ "${1:-}" = --once ]; then
  back_up
  exit
fi
while true; do
  if back_up; then sleep 86400; else sleep 60; fi
done
