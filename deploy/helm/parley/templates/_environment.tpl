{{- define "parley.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{- define "parley.blobLocation" -}}
{{- with .Values.blobs -}}
{{- if eq .store "volume" -}}/data
{{- else -}}
{{- $options := list -}}
{{- with .s3.region }}{{ $options = append $options (printf "region=%s" (urlquery .)) }}{{ end -}}
{{- with .s3.endpoint }}{{ $options = append $options (printf "endpoint=%s" (urlquery .)) }}{{ end -}}
{{- if not (kindIs "invalid" .s3.pathStyle) }}{{ $options = append $options (printf "path_style=%t" .s3.pathStyle) }}{{ end -}}
s3://{{ required "blobs.s3.bucket names the bucket" .s3.bucket }}{{ with $options }}?{{ join "&" . }}{{ end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "parley.databaseVariable" -}}
{{- $secret := required "database.existingSecret names the secret with the URL of PostgreSQL" .Values.database.existingSecret -}}
{{ include "parley.secretVariable" (dict "variable" "DATABASE_URL" "secret" $secret "key" .Values.database.key) }}
{{- end -}}

{{/* The variables of a process. Later ones win over earlier ones of the same name. Takes a dict of root, name, facts and settings. */}}
{{- define "parley.environment" -}}
{{- $values := .root.Values -}}
{{- $fullname := include "parley.fullname" .root -}}
{{- $secret := required "secrets.existingSecret names the secret with the keys of the gateway" $values.secrets.existingSecret -}}
{{ include "parley.databaseVariable" .root }}
{{- if $values.nats.existingSecret }}
{{ include "parley.secretVariable" (dict "variable" "NATS_URL" "secret" $values.nats.existingSecret "key" $values.nats.key) }}
{{- else }}
- name: NATS_URL
  value: {{ required "nats.url or nats.existingSecret says where NATS is" $values.nats.url | quote }}
{{- end }}
{{- if .facts.secretKeys }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_SECRET_KEYS" "secret" $secret "key" $values.secrets.keys.secretKeys) }}
{{- end }}
{{- if eq .name "edge" }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_OPERATOR_KEY" "secret" $secret "key" $values.secrets.keys.operatorKey) }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_API_KEY" "secret" $secret "key" $values.secrets.keys.apiKey "optional" true) }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_INIT_ADMIN_EMAIL" "secret" $secret "key" $values.secrets.keys.initAdminEmail "optional" true) }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_INIT_ADMIN_PASSWORD" "secret" $secret "key" $values.secrets.keys.initAdminPassword "optional" true) }}
{{- if eq $values.throttle.store "redis" }}
{{ include "parley.secretVariable" (dict "variable" "PARLEY_THROTTLE_STORE" "secret" (required "throttle.redis.existingSecret names the secret with the URL of Redis" $values.throttle.redis.existingSecret) "key" $values.throttle.redis.key) }}
{{- end }}
{{- end }}
{{- if and .facts.blobs (eq $values.blobs.store "s3") $values.blobs.s3.existingSecret }}
{{ include "parley.secretVariable" (dict "variable" "AWS_ACCESS_KEY_ID" "secret" $values.blobs.s3.existingSecret "key" $values.blobs.s3.keys.accessKeyId) }}
{{ include "parley.secretVariable" (dict "variable" "AWS_SECRET_ACCESS_KEY" "secret" $values.blobs.s3.existingSecret "key" $values.blobs.s3.keys.secretAccessKey) }}
{{- end }}
{{- if ne .name "usage" }}
- name: PARLEY_INSTANCE
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- end }}
{{- $plain := dict "PARLEY_MIGRATE" (ternary "never" "start" $values.migrations.enabled) "PARLEY_LOG_LEVEL" $values.logLevel "PARLEY_METRICS_LISTEN" "0.0.0.0:9464" -}}
{{- range .facts.calls }}
{{- $_ := set $plain (printf "PARLEY_%s_ADDRESS" (. | upper | replace "-" "_")) (printf "dns:///%s-%s:50051" $fullname .) }}
{{- end }}
{{- if eq .name "edge" }}
{{- $_ := set $plain "PARLEY_HOST" "0.0.0.0" }}
{{- $_ := set $plain "PARLEY_PORT" "8080" }}
{{- $_ := set $plain "PARLEY_LAME_DUCK" (printf "%ds" (int $values.drain.lameDuckSeconds)) }}
{{- with $values.publicUrl }}{{ $_ := set $plain "PARLEY_PUBLIC_URL" . }}{{ end }}
{{- with $values.trustedProxies }}{{ $_ := set $plain "PARLEY_TRUSTED_PROXIES" . }}{{ end }}
{{- if ne $values.throttle.store "redis" }}{{ $_ := set $plain "PARLEY_THROTTLE_STORE" $values.throttle.store }}{{ end }}
{{- else }}
{{- $_ := set $plain "PARLEY_LISTEN" "0.0.0.0:50051" }}
{{- end }}
{{- if .facts.streams }}{{ $_ := set $plain "PARLEY_DRAIN_TIMEOUT" (printf "%ds" (int $values.drain.turnSeconds)) }}{{ end }}
{{- with .facts.http }}
{{- $_ := set $plain (printf "PARLEY_%s_HTTP_LISTEN" (upper $.name)) (printf "0.0.0.0:%d" (int .)) }}
{{- $_ := set $plain (printf "PARLEY_%s_HTTP_URL" (upper $.name)) (printf "http://%s-%s-http:%d" $fullname $.name (int .)) }}
{{- end }}
{{- if .facts.blobs }}{{ $_ := set $plain "PARLEY_BLOB_STORE" (include "parley.blobLocation" .root) }}{{ end }}
{{- if eq .name "audio" }}{{ $_ := set $plain "PARLEY_AUDIO_SCRATCH" "/scratch" }}{{ end }}
{{- with $values.traces.endpoint }}
{{- $_ := set $plain "OTEL_EXPORTER_OTLP_ENDPOINT" . }}
{{- $_ := set $plain "OTEL_TRACES_SAMPLER_ARG" (toString $values.traces.sampleRatio) }}
{{- end }}
{{- range $variable, $value := merge (deepCopy .settings.env) $values.env $plain }}
- name: {{ $variable }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}
