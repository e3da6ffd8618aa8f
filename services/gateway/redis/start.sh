#!/bin/sh
# Starts Redis with the users of users.acl: start.sh redis-server [option...]
# Each user gets a password at the first start. It is kept as a URL in a directory of its own, so that a service can be shown the URL of
# its user and no other.
set -eu
here=$(dirname "$0")
secrets=${SECRETS_DIR:-/run/secrets}
acl=${ACL_FILE:-/run/users.acl}
address=${REDIS_ADDRESS:-redis:6379}
umask 022

: >"$acl"
while read -r word user rules; do
  if [ "$user" != default ]; then
    url=$secrets/$user/redis-url
    if [ ! -s "$url" ]; then
      mkdir -p "$secrets/$user"
      printf 'redis://%s:%s@%s\n' "$user" "$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')" "$address" >"$url.new"
      mv "$url.new" "$url"
    fi
    digest=$(sed 's/.*:\(.*\)@.*/\1/' "$url" | tr -d '\n' | sha256sum | cut -d ' ' -f 1)
    rules="#$digest $rules"
  fi
  echo "$word $user $rules" >>"$acl"
done <"$here/users.acl"

# The official image prepares the data directory and drops root's rights in its entrypoint.
entrypoint=$(command -v docker-entrypoint.sh || true)
exec ${entrypoint:+"$entrypoint"} "$@" --aclfile "$acl"
