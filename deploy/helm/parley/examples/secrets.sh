#!/bin/sh
# The secrets of a first installation, made on the spot: sh secrets.sh NAMESPACE. What it prints is not kept anywhere else but in the cluster.
# Keep a copy of PARLEY_SECRET_KEYS in a safe place: a backup of the database is useless without it.
set -eu
namespace=${1:?usage: secrets.sh NAMESPACE}
letters() { openssl rand -hex 24; }

kubectl --namespace "$namespace" create secret generic parley \
  --from-literal="PARLEY_SECRET_KEYS=k1:$(openssl rand -base64 32)" \
  --from-literal="PARLEY_OPERATOR_KEY=gmk_live_$(letters)" \
  --from-literal="PARLEY_API_KEY=gmk_live_$(letters)"
