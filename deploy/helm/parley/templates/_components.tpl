{{/*
What the processes are, whatever the values: whom they call, whether turns run through them (streams), whether they use the blob store,
call what lies outside (upstreams), serve downloads to the edge (http), and read the secret keys. A test compares calls with the configurations of the services.
*/}}
{{- define "parley.components" -}}
edge: { calls: [chat-routing, conversation, usage, asset, audio, actions], streams: true, upstreams: true, secretKeys: true }
chat-routing: { calls: [conversation], streams: true, upstreams: true, secretKeys: true }
conversation: { calls: [] }
usage: { calls: [conversation] }
asset: { calls: [chat-routing, conversation], blobs: true, http: 8081, secretKeys: true }
audio: { calls: [chat-routing], blobs: true, http: 8082, upstreams: true, secretKeys: true }
actions: { calls: [chat-routing, audio, asset], upstreams: true }
{{- end -}}

{{/* The values of a component over the defaults, as YAML. Takes a dict of root and name. */}}
{{- define "parley.settings" -}}
{{- toYaml (mergeOverwrite (deepCopy .root.Values.defaults) (index .root.Values.components .name | default dict)) -}}
{{- end -}}

{{/* Seconds that a pod has from its end to the kill. */}}
{{- define "parley.grace" -}}
{{- $drain := .root.Values.drain -}}
{{- if .facts.streams -}}
{{- add $drain.preStopSeconds (ternary $drain.lameDuckSeconds 0 (eq .name "edge")) $drain.turnSeconds 30 -}}
{{- else -}}
{{- add $drain.preStopSeconds 70 -}}
{{- end -}}
{{- end -}}
